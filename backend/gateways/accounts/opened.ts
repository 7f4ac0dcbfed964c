import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import { err, type Result } from '@florin/shared/result.ts';
import { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { GatewayAdapter, GatewayRegistry, StoredAccount } from '../adapter.ts';
import type { CardGateway } from '../gateway.ts';
import { unusableGateway } from '../unusable.ts';
import type { GatewayAccountRow } from './rows.ts';
import type { AccountSettings } from './settings-account.ts';
import { accountById } from './store.ts';

const settings = z.record(z.string(), z.unknown());

type Origin = GatewayAccountRow['origin'];

type Settings = Readonly<Record<'config' | 'secrets', Readonly<Record<string, unknown>>>>;

export type OpenedAccounts = {
  /** What is stored of an account. @throws if its secrets cannot be opened with this key */
  settingsOf(row: GatewayAccountRow): Settings;
  /** The gateway of these settings, or what is wrong with them. */
  open(adapter: string, account: StoredAccount, origin: Origin): Result<CardGateway, readonly string[]>;
  /** The gateway of a stored account; an unusable one if its settings cannot be read. */
  ofRow(row: GatewayAccountRow): CardGateway;
  /** As `ofRow`, by id; the row is cached for up to ten seconds. */
  ofId(id: string): Promise<CardGateway | undefined>;
};

/** How long another process's change of an account may go unnoticed. */
export const accountCacheMs = 10_000;

type Opened = { readonly row: GatewayAccountRow; readonly gateway: CardGateway; readonly readAt: Instant };

/** Keeps one open gateway per stored account in this process and opens it again once its settings have changed. */
export function openedAccounts(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: GatewayRegistry;
  readonly box: SecretBox;
  /** The operator's own account: those that businesses add use the addresses of its gateway. */
  readonly fallback: AccountSettings;
  readonly callbackUrlOf: (accountId: string) => string;
}): OpenedAccounts {
  const { database, clock, log, registry, box, fallback, callbackUrlOf } = options;
  const opened = new Map<string, Opened>();

  function open(name: string, account: StoredAccount, origin: Origin): Result<CardGateway, readonly string[]> {
    const adapter = registry.get(name);
    if (origin === 'business') return openForBusiness(name === fallback.adapter ? adapter : undefined, account);
    return adapter?.open(account) ?? err([`adapter: must be one of ${[...registry.keys()].join(', ')}`]);
  }

  /** At the addresses of the operator, whatever the business gave. */
  function openForBusiness(adapter: GatewayAdapter | undefined, account: StoredAccount) {
    const config = adapter?.completeConfig?.(account, fallback.config);
    if (!adapter || !config) return err([`adapter: must be ${fallback.adapter}`]);
    return config.ok ? adapter.open({ ...account, config: config.value }) : config;
  }

  function settingsOf({ id, configJson, sealedSecrets }: GatewayAccountRow): Settings {
    return {
      config: settings.parse(JSON.parse(configJson)),
      secrets: settings.parse(JSON.parse(box.open(sealedSecrets, id))),
    };
  }

  function openRow(row: GatewayAccountRow): CardGateway {
    const { id, merchantId, adapter, origin } = row;
    try {
      const made = open(adapter, { merchantId, ...settingsOf(row), callbackUrl: callbackUrlOf(id) }, origin);
      if (made.ok) return made.value;
      log.error({ gatewayAccountId: id, adapter, problems: made.refusal }, 'a gateway account cannot be used');
    } catch (error) {
      log.error({ gatewayAccountId: id, adapter, err: error }, 'a gateway account cannot be used');
    }
    return unusableGateway;
  }

  function ofRow(row: GatewayAccountRow): CardGateway {
    const known = opened.get(row.id);
    const isSame = known?.row.configJson === row.configJson && known.row.sealedSecrets === row.sealedSecrets;
    const gateway = known && isSame ? known.gateway : openRow(row);
    opened.set(row.id, { row, gateway, readAt: clock.now() });
    return gateway;
  }

  return {
    settingsOf,
    open,
    ofRow,
    async ofId(id) {
      const known = opened.get(id);
      if (known && Math.abs(clock.now() - known.readAt) < accountCacheMs) return known.gateway;
      const row = await database.first(accountById, { id });
      return row && ofRow(row);
    },
  };
}

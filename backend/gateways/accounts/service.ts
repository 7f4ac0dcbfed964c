import type { Actor } from '@florin/shared/actor.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, KeyTaken, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { GatewayRegistry } from '../adapter.ts';
import type { CardGateway, ConnectionTest, GatewayCapabilities, Gateways } from '../gateway.ts';
import { unusableGateway } from '../unusable.ts';
import { accountCacheMs, openedAccounts } from './opened.ts';
import type { GatewayAccountRow } from './rows.ts';
import { type AccountSettings, settingsAccounts } from './settings-account.ts';
import {
  accountById,
  accountPage,
  accountsForUpdate,
  clearDefault,
  defaultAccount,
  disableAccount,
  insertAccount,
  replaceSettings,
  setDefault,
} from './store.ts';

export type NewGatewayAccount = AccountSettings & { readonly businessId: string; readonly isDefault: boolean };

/** One line per invalid setting. */
export type SettingsInvalid = { readonly kind: 'settings_invalid'; readonly problems: readonly string[] };

/** What is not given stays as it is, each setting and secret by itself. */
export type AccountChanges = {
  readonly name?: string | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly secrets?: Readonly<Record<string, unknown>> | undefined;
};
/** `not_own`: only the operator changes an account that the business did not add. */
export type AccountChangeRefused = SettingsInvalid | { readonly kind: 'not_found' } | { readonly kind: 'not_own' };

export type AccountWithCapabilities = {
  readonly account: GatewayAccountRow;
  readonly capabilities: GatewayCapabilities;
};

/** The gateway accounts of businesses. New payments use the default account. */
export type GatewayAccountService = Gateways & {
  /** The first account of a business is its default. Only the operator chooses the addresses that it uses. */
  create(
    input: NewGatewayAccount,
    by: Actor,
    write?: DurableWrite<GatewayAccountRow>,
  ): Promise<Result<GatewayAccountRow, SettingsInvalid>>;
  /** Renames an account that its business added, or replaces settings and secrets of it; never the merchant id. */
  change(
    businessId: string,
    id: string,
    changes: AccountChanges,
    by: Actor,
  ): Promise<Result<GatewayAccountRow, AccountChangeRefused>>;
  capabilitiesOf(account: GatewayAccountRow): GatewayCapabilities;
  list(options: { businessId: string; before: string; limit: number }): Promise<AccountWithCapabilities[]>;
  find(businessId: string, id: string): Promise<GatewayAccountRow | undefined>;
  /** Makes this account the default; false if it is missing or disabled. */
  makeDefault(businessId: string, id: string, by: Actor): Promise<boolean>;
  /** Accepts no new payments from then on; existing ones can still be refunded, voided and looked up. */
  disable(businessId: string, id: string, by: Actor): Promise<GatewayAccountRow | undefined>;
  test(businessId: string, id: string): Promise<readonly ConnectionTest[] | undefined>;
  /** The gateway whose callbacks are posted to this account. */
  byId(id: string): Promise<CardGateway | undefined>;
  /** Run at start: creates or updates the accounts from the settings. @throws SecretsKeyMismatch */
  prepare(): Promise<void>;
};

export type GatewayAccountOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changes: ChangeLog;
  readonly registry: GatewayRegistry;
  readonly box: SecretBox;
  /** The account of businesses without one of their own. */
  readonly fallback: AccountSettings;
  readonly callbackUrlOf: (accountId: string) => string;
  readonly businesses: { list(): Promise<readonly { readonly id: string }[]> };
};

/**
 * Stores accounts only if their adapter accepts the settings. The account for new payments is cached for up to ten
 * seconds per business.
 */
export function gatewayAccountService(options: GatewayAccountOptions): GatewayAccountService {
  const { database, clock, ids, box, changes, callbackUrlOf } = options;
  const opened = openedAccounts(options);
  const fromSettings = settingsAccounts({ ...options, insert });
  const defaults = new Map<string, { readonly id: string; readonly readAt: Instant }>();

  async function record(
    tx: Transaction,
    change: string,
    { businessId, id, name, adapter, merchantId }: GatewayAccountRow,
    by: Actor,
  ) {
    const detail = { change, gatewayAccountId: id, name, adapter, merchantId };
    await changes.append(tx, { businessId, kind: 'gateway_account_changed', by, detail });
  }

  /** @throws KeyTaken if another process has just given the business its default */
  async function insert(
    tx: Transaction,
    { businessId, isDefault, adapter, name, merchantId, config, secrets }: NewGatewayAccount,
    origin: GatewayAccountRow['origin'],
  ): Promise<GatewayAccountRow> {
    const id = ids.next(idPrefixes.gatewayAccount);
    const row: GatewayAccountRow = {
      id,
      businessId,
      adapter,
      name,
      merchantId,
      configJson: JSON.stringify(config),
      sealedSecrets: box.seal(JSON.stringify(secrets), id),
      isDefault: isDefault ? 1 : 0,
      origin,
      createdAt: clock.now(),
      disabledAt: null,
    };
    if (isDefault) await tx.run(clearDefault, { businessId });
    if ((await tx.run(insertAccount, row)) === 0) throw new KeyTaken('the business has a default account already');
    return row;
  }

  return {
    async create(input, by, write = unkeyedWrite(database)) {
      const { adapter, merchantId, config, secrets, businessId } = input;
      const origin = by.kind === 'operator' ? 'operator' : 'business';
      const stored = { merchantId, config, secrets, callbackUrl: callbackUrlOf('new') };
      const gateway = opened.open(adapter, stored, origin);
      if (!gateway.ok) return err({ kind: 'settings_invalid', problems: gateway.refusal });
      const row = await readingAgain(() =>
        write.run(async tx => {
          const isFirst = (await tx.first(defaultAccount, { businessId })) === undefined;
          const made = await insert(tx, { ...input, isDefault: input.isDefault || isFirst }, origin);
          await record(tx, 'created', made, by);
          return made;
        }),
      );
      defaults.delete(businessId);
      return ok(row);
    },

    async change(businessId, id, changes, by) {
      return database.write(async tx => {
        const row = (await tx.all(accountsForUpdate, { businessId })).find(account => account.id === id);
        if (!row) return err({ kind: 'not_found' });
        if (row.origin !== 'business') return err({ kind: 'not_own' });
        const { config, secrets } = opened.settingsOf(row);
        const wanted = {
          merchantId: row.merchantId,
          config: { ...config, ...changes.config },
          secrets: { ...secrets, ...changes.secrets },
        };
        const gateway = opened.open(row.adapter, { ...wanted, callbackUrl: callbackUrlOf(id) }, row.origin);
        if (!gateway.ok) return err({ kind: 'settings_invalid', problems: gateway.refusal });
        const changed = {
          id,
          name: changes.name ?? row.name,
          configJson: JSON.stringify(wanted.config),
          sealedSecrets: changes.secrets ? box.seal(JSON.stringify(wanted.secrets), id) : row.sealedSecrets,
        };
        await tx.run(replaceSettings, changed);
        const after = { ...row, ...changed };
        await record(tx, 'changed', after, by);
        return ok(after);
      });
    },

    capabilitiesOf: account => opened.ofRow(account).capabilities,

    async list(page) {
      const rows = await database.all(accountPage, page);
      return rows.map(account => ({ account, capabilities: opened.ofRow(account).capabilities }));
    },

    async find(businessId, id) {
      const row = await database.first(accountById, { id });
      return row?.businessId === businessId ? row : undefined;
    },

    async makeDefault(businessId, id, by) {
      // A default account created meanwhile takes the key: it is read again, and replaced.
      const isDefault = await readingAgain(() =>
        database.write(async tx => {
          const row = (await tx.all(accountsForUpdate, { businessId })).find(account => account.id === id);
          if (!row || row.disabledAt !== null) return false;
          if (row.isDefault === 1) return true;
          await tx.run(clearDefault, { businessId });
          await tx.run(setDefault, { businessId, id });
          await record(tx, 'made_default', row, by);
          return true;
        }),
      );
      defaults.delete(businessId);
      return isDefault;
    },

    async disable(businessId, id, by) {
      const row = await database.write(async tx => {
        const isChanged = (await tx.run(disableAccount, { businessId, id, disabledAt: clock.now() })) === 1;
        const found = await tx.first(accountById, { id });
        if (found && isChanged) await record(tx, 'disabled', found, by);
        return found;
      });
      defaults.delete(businessId);
      return row?.businessId === businessId ? row : undefined;
    },

    async test(businessId, id) {
      const row = await database.first(accountById, { id });
      return row?.businessId === businessId ? opened.ofRow(row).testConnection() : undefined;
    },

    byId: id => opened.ofId(id),

    prepare: () => fromSettings.prepare(),

    async accountForNewPayments(businessId) {
      const known = defaults.get(businessId);
      if (known && Math.abs(clock.now() - known.readAt) < accountCacheMs) return known.id;
      const id = (await database.first(defaultAccount, { businessId }))?.id ?? (await fromSettings.provide(businessId));
      if (id !== undefined) defaults.set(businessId, { id, readAt: clock.now() });
      return id;
    },

    async ofAccount(accountId) {
      return (accountId === null ? undefined : await opened.ofId(accountId)) ?? unusableGateway;
    },
  };
}

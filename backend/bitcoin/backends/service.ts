import type { Actor } from '@florin/shared/actor.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, KeyTaken, readingAgain } from '../../foundation/database/database.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { NodeRegistry } from '../nodes/adapter.ts';
import type { Answer, BitcoinNode, ChannelBackup, NodeConnectionTest } from '../nodes/node.ts';
import { unusableNode } from '../nodes/unusable.ts';
import { backendCacheMs, openedNodes } from './opened.ts';
import type { BitcoinBackendRow } from './rows.ts';
import {
  allBackends,
  backendById,
  backendsOfBusiness,
  currentBackend,
  insertBackend,
  retireBackend,
  updateBackend,
} from './store.ts';

export type BackendSettings = { readonly adapter: string; readonly config: unknown; readonly secrets: unknown };

export type BackendRefusal =
  /** One line per invalid setting. */
  | { readonly kind: 'settings_invalid'; readonly problems: readonly string[] }
  /** The node does not respond or fails a test. */
  | { readonly kind: 'test_failed'; readonly tests: readonly NodeConnectionTest[] };

export type TestedBackend = {
  readonly row: BitcoinBackendRow;
  readonly node: BitcoinNode;
  readonly tests: readonly NodeConnectionTest[];
};

/** The business's current node, and the backend id to store with what it creates. */
export type NodeOfBusiness = { readonly backendId: string; readonly node: BitcoinNode };

/**
 * The bitcoin nodes of businesses. Invoices and addresses stay with the node that created them after the business
 * changes nodes.
 */
export type BitcoinBackendService = {
  /** The node for new invoices; undefined if the business has none. */
  nodeOf(businessId: string): Promise<NodeOfBusiness | undefined>;
  /** The node of this backend; if it is missing or unusable, one that sends nothing and has no data. */
  ofBackend(backendId: string): Promise<BitcoinNode>;
  find(backendId: string): Promise<BitcoinBackendRow | undefined>;
  /** All nodes of all businesses. */
  list(): Promise<readonly BitcoinBackendRow[]>;
  set(businessId: string, settings: BackendSettings, by: Actor): Promise<Result<TestedBackend, BackendRefusal>>;
  /** Tests the current node now. */
  test(businessId: string): Promise<TestedBackend | undefined>;
  backup(businessId: string): Promise<{ row: BitcoinBackendRow; answer: Answer<ChannelBackup> } | undefined>;
  close(): Promise<void>;
};

export type BitcoinBackendOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changes: ChangeLog;
  readonly registry: NodeRegistry;
  readonly box: SecretBox;
  readonly secretsKeys: () => SecretsKeys;
};

/** The nodes of all businesses. `set` saves only a node that passes its tests; one used before keeps its backend id. */
export function bitcoinBackendService(options: BitcoinBackendOptions): BitcoinBackendService {
  const { database, clock, ids, box, changes } = options;
  const opened = openedNodes(options);
  const current = new Map<string, { readonly row: BitcoinBackendRow; readonly readAt: Instant }>();

  const nodeOf = (row: BitcoinBackendRow): NodeOfBusiness => ({ backendId: row.id, node: opened.ofRow(row) });

  /** Tests a node with these settings and closes it. */
  async function tested(id: string, settings: BackendSettings) {
    const made = opened.open({ ...settings, id });
    if (!made.ok) return err({ kind: 'settings_invalid' as const, problems: made.refusal });
    const node = made.value;
    try {
      const [info, tests] = await Promise.all([node.info(), node.testConnection()]);
      const failed = info.kind === 'unknown' || tests.some(({ ok: isOk }) => !isOk);
      return failed ? err({ kind: 'test_failed' as const, tests }) : ok({ info: info.value, tests });
    } finally {
      await node.close();
    }
  }

  /** @throws KeyTaken if another process has just given the business another node */
  async function save(
    { id, businessId }: { id: string; businessId: string },
    settings: BackendSettings,
    about: Pick<BitcoinBackendRow, 'publicKey' | 'network'>,
    by: Actor,
  ): Promise<BitcoinBackendRow> {
    return database.write(async tx => {
      const { adapter, config, secrets } = settings;
      const earlier = (await tx.all(backendsOfBusiness, { businessId })).find(
        one => one.adapter === adapter && one.publicKey === about.publicKey && one.network === about.network,
      );
      const rowId = earlier?.id ?? id;
      const row: BitcoinBackendRow = {
        id: rowId,
        businessId,
        adapter,
        configJson: JSON.stringify(config),
        sealedSecrets: box.seal(JSON.stringify(secrets), rowId),
        ...about,
        isCurrent: 1,
        createdAt: earlier?.createdAt ?? clock.now(),
        changedAt: clock.now(),
      };
      await tx.run(retireBackend, { businessId });
      if (earlier) await tx.run(updateBackend, row);
      else if ((await tx.run(insertBackend, row)) === 0)
        throw new KeyTaken('the business has a current backend already');
      const detail = { change: 'bitcoin_backend_set', backendId: rowId, adapter, publicKey: about.publicKey };
      await changes.append(tx, { businessId, kind: 'setting_changed', by, detail });
      return row;
    });
  }

  return {
    async nodeOf(businessId) {
      const known = current.get(businessId);
      if (known && Math.abs(clock.now() - known.readAt) < backendCacheMs) return nodeOf(known.row);
      const row = await database.first(currentBackend, { businessId });
      if (!row) return undefined;
      current.set(businessId, { row, readAt: clock.now() });
      return nodeOf(row);
    },

    ofBackend: async backendId => (await opened.ofId(backendId)) ?? unusableNode,
    find: id => database.first(backendById, { id }),
    list: () => database.all(allBackends, {}),

    async set(businessId, settings, by) {
      const id = ids.next(idPrefixes.bitcoinBackend);
      const asked = await tested(id, settings);
      if (!asked.ok) return asked;
      const { publicKey, network } = asked.value.info;
      const row = await readingAgain(() => save({ id, businessId }, settings, { publicKey, network }, by));
      current.delete(businessId);
      return ok({ row, node: opened.ofRow(row), tests: asked.value.tests });
    },

    async test(businessId) {
      const row = await database.first(currentBackend, { businessId });
      if (!row) return undefined;
      const node = opened.ofRow(row);
      return { row, node, tests: await node.testConnection() };
    },

    async backup(businessId) {
      const row = await database.first(currentBackend, { businessId });
      return row && { row, answer: await opened.ofRow(row).channelBackup() };
    },

    close: () => opened.close(),
  };
}

import { hkdfSync } from 'node:crypto';
import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import { err, type Result } from '@florin/shared/result.ts';
import { nextNumber, numbersGiven } from '../../foundation/database/counters.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { AddressIndexes, NodeRegistry } from '../nodes/adapter.ts';
import type { BitcoinNode } from '../nodes/node.ts';
import { unusableNode } from '../nodes/unusable.ts';
import type { BitcoinBackendRow } from './rows.ts';
import { backendById } from './store.ts';

export type OpenedNodes = {
  /** Opens a node with these settings, or returns what is wrong with them. The caller closes it. */
  open(settings: NodeSettings): Result<BitcoinNode, readonly string[]>;
  /** The node of a stored backend, kept open; an unusable node if its settings cannot be read. */
  ofRow(row: BitcoinBackendRow): BitcoinNode;
  /** As `ofRow`, by id; the row is cached for up to ten seconds. */
  ofId(id: string): Promise<BitcoinNode | undefined>;
  close(): Promise<void>;
};

export type NodeSettings = {
  readonly id: string;
  readonly adapter: string;
  readonly config: unknown;
  readonly secrets: unknown;
};

/** How long another process's change of a backend may go unnoticed. */
export const backendCacheMs = 10_000;

/** One scope for all businesses: two of them may have the same account, and each address is for one payment only. */
const everybody = '';

type Opened = { readonly row: BitcoinBackendRow; readonly node: BitcoinNode; readonly readAt: Instant };

/** Keeps one open node per stored backend in this process and opens it again once its settings have changed. */
export function openedNodes(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: NodeRegistry;
  readonly box: SecretBox;
  readonly secretsKeys: () => SecretsKeys;
}): OpenedNodes {
  const { database, clock, log, registry, box, secretsKeys } = options;
  const opened = new Map<string, Opened>();
  const addressIndexes: AddressIndexes = {
    next: async sequence => (await database.write(tx => nextNumber(tx, everybody, sequence))) - 1,
    given: sequence => numbersGiven(database, everybody, sequence),
  };

  function open({ id, adapter, config, secrets }: NodeSettings): Result<BitcoinNode, readonly string[]> {
    const invoiceKey = new Uint8Array(hkdfSync('sha256', secretsKeys().current, id, 'florin bitcoin invoices', 32));
    const found = registry.get(adapter);
    return (
      found?.open({ config, secrets, invoiceKey, addressIndexes }) ??
      err([`adapter: must be one of ${[...registry.keys()].join(', ')}`])
    );
  }

  function openRow(row: BitcoinBackendRow): BitcoinNode {
    const { id, adapter, configJson, sealedSecrets } = row;
    try {
      const secrets: unknown = JSON.parse(box.open(sealedSecrets, id));
      const made = open({ id, adapter, config: JSON.parse(configJson), secrets });
      if (made.ok) return made.value;
      log.error({ backendId: id, adapter, problems: made.refusal }, 'a bitcoin backend cannot be used');
    } catch (error) {
      log.error({ backendId: id, adapter, err: error }, 'a bitcoin backend cannot be used');
    }
    return unusableNode;
  }

  function ofRow(row: BitcoinBackendRow): BitcoinNode {
    const known = opened.get(row.id);
    const isSame = known?.row.configJson === row.configJson && known.row.sealedSecrets === row.sealedSecrets;
    const node = known && isSame ? known.node : openRow(row);
    opened.set(row.id, { row, node, readAt: clock.now() });
    // Requests in progress may still complete; idle connections close soon after.
    return node;
  }

  return {
    open,
    ofRow,
    async ofId(id) {
      const known = opened.get(id);
      if (known && Math.abs(clock.now() - known.readAt) < backendCacheMs) return known.node;
      const row = await database.first(backendById, { id });
      return row && ofRow(row);
    },
    async close() {
      await Promise.all([...opened.values()].map(({ node }) => node.close()));
      opened.clear();
    },
  };
}

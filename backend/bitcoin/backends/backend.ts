import type { BitcoinBackendRecord, ConnectionTestRecord } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import type { NodeConnectionTest } from '../nodes/node.ts';
import type { TestedBackend } from './service.ts';

/** A backend as the API shows it, without secrets. */
export async function bitcoinBackendRecord({ row, node, tests }: TestedBackend): Promise<BitcoinBackendRecord> {
  const { derived } = node;
  return {
    id: row.id,
    adapter: row.adapter,
    config: JSON.parse(row.configJson) as Record<string, unknown>,
    publicKey: row.publicKey,
    network: row.network,
    capabilities: node.capabilities,
    addresses: derived ? { first: await derived.first(), given: await derived.given() } : null,
    tests: tests.map(testRecord),
    createdAt: new Date(row.createdAt).toISOString(),
    changedAt: new Date(row.changedAt).toISOString(),
  };
}

/** One connection test of a node as the API shows it: `cause` and `message` are null if it passed. */
export function testRecord(test: NodeConnectionTest): ConnectionTestRecord {
  return test.ok
    ? { name: test.name, ok: true, cause: null, message: null }
    : { name: test.name, ok: false, cause: test.cause, message: test.message };
}

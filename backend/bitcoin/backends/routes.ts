import { getBackup, getBitcoinBackend, setBitcoinBackend } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { actorOf } from '../../foundation/http/callers.ts';
import { settingsInvalid } from '../../foundation/http/problems.ts';
import { fail, type Route, respond, route } from '../../foundation/http/route.ts';
import { bitcoinBackendRecord, testRecord } from './backend.ts';
import type { BitcoinBackendService } from './service.ts';

/**
 * The management API of a business's node. A read tests the connection, and settings whose tests fail are not saved.
 */
export function bitcoinBackendRoutes({ backends, clock }: { backends: BitcoinBackendService; clock: Clock }): Route[] {
  const notSet = () => fail(404, 'bitcoin_backend_not_set', 'The business has no bitcoin backend');
  return [
    route(getBitcoinBackend, async ({ caller }) => {
      const found = await backends.test(caller.businessId);
      return found ? respond(200, await bitcoinBackendRecord(found)) : notSet();
    }),

    route(setBitcoinBackend, async ({ caller, body }) => {
      const set = await backends.set(caller.businessId, body, actorOf(caller));
      if (set.ok) return respond(200, await bitcoinBackendRecord(set.value));
      if (set.refusal.kind === 'settings_invalid') return settingsInvalid(set.refusal.problems);
      const tests = set.refusal.tests.map(testRecord);
      const message = 'The node did not answer as it should, so nothing was changed: see metadata.tests';
      return { error: { status: 409, message, metadata: { reason: 'bitcoin_backend_test_failed', tests } } };
    }),

    route(getBackup, async ({ caller }) => {
      const found = await backends.backup(caller.businessId);
      if (!found) return notSet();
      const { row, answer } = found;
      if (answer.kind === 'unknown') {
        if (answer.cause === 'not_supported')
          return fail(409, 'backup_not_supported', 'This node has no channel backup: its seed is all it needs');
        return fail(503, 'node_unavailable', 'The node is unavailable', { retryAfterSeconds: 10 });
      }
      const { format, data, channels } = answer.value;
      const createdAt = new Date(clock.now()).toISOString();
      return respond(200, { backendId: row.id, publicKey: row.publicKey, format, data, channels, createdAt });
    }),
  ];
}

import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { Database, Statement } from '../foundation/database/database.ts';
import { inTraceOf } from '../foundation/events/begun.ts';
import { workOnEach } from '../foundation/jobs/each.ts';
import type { LeasesOn } from '../foundation/jobs/leases.ts';
import { afterPoll, notFoundIsFinal, type Polled, type PollingSettings } from '../foundation/jobs/polling.ts';
import { type Gateways, type LookupOutcome, type LookupRequest, outcomesOf } from './gateway.ts';

type LookupPorts = { readonly gateways: Gateways; readonly log: Log };

type Ids = { readonly businessId: string; readonly paymentId: string; readonly refundId?: string };
type KnownOutcome = ReturnType<typeof outcomesOf>[number];

/** Operations of one kind that were sent and whose outcome is unknown. */
type UnknownOutcomes<Row> = {
  /** Names the operations in the log, as in "polled the gateway for the outcome of …". */
  readonly what: string;
  readonly idsOf: (row: Row) => Ids;
  /** Claims the rows that are due, with a lease. */
  readonly claim: Statement<{ now: Instant; nextPollAt: Instant; limit: number }, Row>;
  readonly postpone: Statement<{ id: string; nextPollAt: Instant; polledAt: Instant; polledForMs: number }, unknown>;
  /** Ends an operation that its customer never confirmed, and that no lookup decides; false for every other one. */
  readonly endUnconfirmed?: (row: Row) => Promise<boolean>;
  /**
   * Ends an operation that waits for a customer who never received the bank's address; false for any other operation.
   */
  readonly endAwaitingCustomer?: (row: Row) => Promise<boolean>;
  readonly lookUp: (row: Row) => Promise<LookupOutcome>;
  readonly record: (row: Row, outcome: KnownOutcome) => Promise<unknown>;
  /** Fails an operation that never reached the gateway; false where a person has to decide first. */
  readonly failNotReceived: (row: Row) => Promise<boolean>;
};

/**
 * Polls the gateway for unknown outcomes and never sends anything, also after a crash. Returns how many were due. Safe on
 * any number of processes at once.
 */
export function outcomePolling<Row extends Polled & { readonly id: string; readonly nextPollAt: Instant | null }>(
  options: {
    readonly database: Database;
    readonly clock: Clock;
    readonly log: Log;
    readonly polling: PollingSettings;
    readonly leases: LeasesOn<Row>;
  },
  operations: UnknownOutcomes<Row>,
): () => Promise<number> {
  const { database, clock, log, polling, leases } = options;

  async function poll(row: Row): Promise<void> {
    if (await operations.endUnconfirmed?.(row)) return;
    const polledAt = clock.now();
    const found = await operations.lookUp(row);
    const facts = { ...operations.idsOf(row), pollCount: row.pollCount, answer: found.kind };
    log.info(facts, `polled the gateway for the outcome of ${operations.what}`);
    switch (found.kind) {
      case 'approved':
      case 'declined':
        for (const outcome of outcomesOf(found)) await operations.record(row, outcome);
        return;
      case 'notFound':
        if (notFoundIsFinal(row, polledAt, polling) && (await operations.failNotReceived(row))) return;
        break;
      case 'inProgress':
        if (found.awaitsCustomer && (await operations.endAwaitingCustomer?.(row))) return;
        break;
      case 'unanswered':
        break;
    }
    const next = afterPoll(row, polledAt, polling);
    await database.write(tx => tx.run(operations.postpone, { id: row.id, ...next }));
  }

  return async () => {
    const claim = { now: clock.now(), nextPollAt: leases.fromNow(), limit: polling.batch };
    const due = await database.write(tx => tx.all(operations.claim, claim));
    return workOnEach(due, { log, idsOf: operations.idsOf }, row =>
      leases.during(row, row.nextPollAt, () => inTraceOf(database, subjectOf(operations.idsOf(row)), () => poll(row))),
    );
  };
}

const subjectOf = ({ paymentId, refundId = paymentId }: Ids) => ({ paymentId, subjectId: refundId });

/** Looks up an operation at its account's gateway; an exception of the adapter counts as no answer. */
export async function lookUpOperation(
  { gateways, log }: LookupPorts,
  ids: Ids,
  gatewayAccountId: string | null,
  request: LookupRequest,
): Promise<LookupOutcome> {
  try {
    return await (await gateways.ofAccount(gatewayAccountId)).lookup(request);
  } catch (error) {
    log.error({ ...ids, err: error }, 'the gateway could not be polled');
    return { kind: 'unanswered', cause: String(error) };
  }
}

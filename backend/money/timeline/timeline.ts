import { type Actor, actorColumns, actorReference, system } from '@florin/shared/actor.ts';
import type { TimelineKind } from '@florin/shared/contracts/api-v1/payments.ts';
import { type Clock, type Ids, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import { insertTimelineEvent } from './store.ts';

export type TimelineEntry = {
  readonly businessId: string;
  readonly paymentId: string;
  readonly refundId?: string | null;
  readonly kind: TimelineKind;
  /** Default: the service. */
  readonly by?: Actor | undefined;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** The history of each payment, written in the transaction that makes it true. */
export type Timeline = {
  note(tx: Transaction, entry: TimelineEntry): Promise<void>;
};

export type TimelinePorts = { readonly clock: Clock; readonly ids: Ids; readonly log: Log };

/** Timeline entries that are written to the log as warnings; of all others, those that a person, a key or a terminal made. */
const logMessages: Readonly<Partial<Record<TimelineKind, string>>> = {
  payment_unknown: 'the outcome of an authorisation is unknown; the gateway is polled for it',
  refund_unknown: 'the outcome of a refund is unknown; the gateway is polled for it',
  payment_failed: 'an authorisation failed',
  refund_failed: 'a refund failed',
  discrepancy_found: 'a discrepancy was found; manual review is required',
};

/**
 * Adds entries in the caller's transaction and logs them after its commit: problems as warnings, others only if a
 * person, a key or a terminal made them.
 */
export function paymentTimeline(ports: TimelinePorts): Timeline {
  const { log } = ports;

  async function note(tx: Transaction, entry: TimelineEntry): Promise<void> {
    tx.send(insertTimelineEvent, {
      id: ports.ids.next(idPrefixes.event),
      businessId: entry.businessId,
      paymentId: entry.paymentId,
      refundId: entry.refundId ?? null,
      kind: entry.kind,
      ...actorColumns(entry.by ?? system),
      detailJson: entry.detail ? JSON.stringify(entry.detail) : '{}',
      at: ports.clock.now(),
    });
    const { businessId, paymentId, refundId, kind, by = system, detail } = entry;
    const facts = { businessId, paymentId, refundId, by: actorReference(by) };
    const warning = logMessages[kind];
    if (warning !== undefined) afterCommit(tx, () => log.warn({ ...detail, ...facts }, warning));
    else if (by.kind !== 'system') afterCommit(tx, () => log.info({ ...facts, kind }, 'recorded on the timeline'));
  }

  return { note };
}

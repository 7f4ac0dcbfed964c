import { createHash } from 'node:crypto';
import type { Transaction } from '../../backend/foundation/database/database.ts';
import type { EventRow } from '../../backend/foundation/events/rows.ts';
import type { AuditEntryRow } from '../../backend/people/audit/rows.ts';
import { bitcoinFaults } from './audit-bitcoin-at-rest.ts';
import { salesAgainstBank } from './audit-terminal-sales.ts';
import { totalsFaults } from './audit-totals.ts';
import { undisturbedMs, webhookFaults } from './audit-webhooks.ts';
import { disputedSums, disputesAtRest } from './disputes.ts';
import {
  allAttempts,
  allDeliveries,
  allEvents,
  allIdempotencyRecords,
  allStaff,
  allWebhooks,
  newAuditEntries,
  type Observed,
} from './observed.ts';

/** The invariants that hold once nothing is pending. */
export async function faultsAtRest(tx: Transaction, seen: Observed): Promise<string[]> {
  const events = await tx.all(allEvents, {});
  const entries = await tx.all(newAuditEntries, { businessId: seen.shop?.businessId ?? '', after: 0 });
  const discrepancies = [...seen.discrepancies.values()];
  const everything = JSON.stringify([
    events,
    entries,
    discrepancies,
    await tx.all(allIdempotencyRecords, {}),
    await tx.all(allStaff, {}),
    [...seen.refunds.values()],
    [...seen.payments.values()],
  ]);
  return [
    // A reply or callback that was rejected is listed as a discrepancy and does not change the refund it names.
    ...refundsAgainstBank(
      seen,
      new Set(discrepancies.filter(({ kind }) => !/^(callback_|reply_)/.test(kind)).map(({ refundId }) => refundId)),
    ),
    ...paymentsAgainstBank(seen),
    ...reversalsAgainstBank(seen),
    ...disputesAtRest(seen, entries),
    ...salesAgainstBank(seen),
    ...webhookFaults({
      events,
      sales: seen.sales,
      checkouts: seen.bitcoin?.checkouts ?? new Map(),
      webhooks: await tx.all(allWebhooks, {}),
      deliveries: await tx.all(allDeliveries, {}),
      attempts: await tx.all(allAttempts, {}),
      received: seen.webhooks,
      isUndisturbed: (seen.shop?.heldUpMs() ?? Number.POSITIVE_INFINITY) < undisturbedMs,
    }),
    ...(seen.bitcoin ? bitcoinFaults({ bitcoin: seen.bitcoin, sales: seen.sales, events, discrepancies }) : []),
    ...(await Array.fromAsync(totalsFaults(tx))),
    ...eventFaults(seen, events),
    ...(seen.shop ? events : [])
      .filter(({ id }) => !seen.received.has(id))
      .map(({ type, subjectId }) => `no consumer received ${type} of ${subjectId}`),
    ...wrongAmountsAccepted(seen, events),
    ...chainFaults(entries),
    ...deliveryFaults(seen, entries),
    ...keptRefusals(await tx.all(allIdempotencyRecords, {})),
    ...invoiceFaults(seen),
    ...(seen.shop?.secrets ?? []).filter(secret => everything.includes(secret)).map(() => 'a secret was stored'),
  ];
}

/** Invariant 2: approved records and approvals of the bank correspond one to one. */
function* refundsAgainstBank({ refunds, ledger, payments, wronglyResolved }: Observed, disputed: Set<string | null>) {
  const byReference = new Map([...refunds.values()].map(row => [row.uniqueReference, row]));
  for (const [reference, { operation, booking }] of ledger.rows) {
    if (operation === 'authorise') continue;
    const row = byReference.get(reference);
    const isByHand = row?.resolutionJson !== null;
    if (!row) yield `${reference} was sent and has no record`;
    else if (booking?.approved && row.status !== 'approved' && !isByHand)
      yield `the bank approved ${reference}, which is ${row.status} in our records`;
    else if (booking && !booking.approved && row.status === 'approved' && !isByHand)
      yield `the bank declined ${reference}, which is approved in our records`;
  }
  for (const row of refunds.values()) {
    if (row.kind === 'BITCOIN') continue;
    const isByHand = row.resolutionJson !== null;
    if (row.status === 'approved' && !ledger.isApproved(row.uniqueReference) && !isByHand)
      yield `${row.id} is approved in our records and unknown to the bank`;
    if (disputed.has(row.id) && !wronglyResolved.has(payments.get(row.paymentId)?.gatewayReference ?? '') && !isByHand)
      if (!ledger.isApproved(row.uniqueReference) || row.status !== 'approved')
        yield `${row.id} is disputed although nothing contradicts it`;
  }
}

function* paymentsAgainstBank({ payments, ledger }: Observed) {
  for (const { id, uniqueReference, status, method } of payments.values()) {
    if (method !== 'card') continue;
    const took = ['unsettled', 'settled', 'cancelled', 'settlement_rejected'].includes(status);
    if (took !== ledger.isApproved(uniqueReference))
      yield `payment ${id} is ${status}, the bank ${took ? 'never approved it' : 'approved it'}`;
  }
}

/** A reversed sale costs the customer nothing, unless the bank declined the reversal. */
function* reversalsAgainstBank({ payments, ledger, wronglyResolved, discrepancies }: Observed) {
  const disputed = disputedSums(discrepancies.values());
  for (const { id, reversalReason, gatewayReference } of payments.values()) {
    const reference = gatewayReference ?? '';
    const taken = ledger.taken.get(reference) ?? 0;
    if (reversalReason === null || taken === 0 || wronglyResolved.has(reference)) continue;
    // If the bank declines, a discrepancy tells a person to act.
    const isReported = [...discrepancies.values()].some(
      row => row.paymentId === id && row.kind === 'reversal_declined',
    );
    const { accepted = 0 } = disputed.get(id) ?? {};
    const returned = (ledger.returned.get(reference) ?? 0) + (ledger.credited.get(reference) ?? 0) + accepted;
    if (returned < taken && !isReported) yield `payment ${id} was reversed and is not returned to the customer`;
  }
}

/** A callback that names another amount than requested must not decide an outcome. */
function* wrongAmountsAccepted({ ledger }: Observed, events: readonly EventRow[]) {
  for (const { type, subjectId, payloadJson } of events) {
    if (type !== 'refund.approved' && type !== 'payment.approved') continue;
    const { wrongAmountReference } = ledger.rows.get(subjectId) ?? {};
    if (
      wrongAmountReference !== undefined &&
      payloadJson.includes('"knownBy":"callback"') &&
      payloadJson.includes(`"${wrongAmountReference}"`)
    )
      yield `${subjectId} was approved by a callback about another amount`;
  }
}

function discrepancyEvents(events: readonly EventRow[]): { found: number; resolved: number } {
  const timesOf = (type: string) => events.filter(event => event.type === type).length;
  return { found: timesOf('discrepancy.found'), resolved: timesOf('discrepancy.resolved') };
}

/**
 * These events can occur again: an endpoint that was reached in between can start to fail once more, and staff are changed.
 * Lockouts are counted.
 */
const repeatable =
  / (discrepancy\.(found|resolved)|payment\.(settling|unsettled|confirmation_requested)|terminal_sale\.(changed|bitcoin_changed)|checkout\.changed|payment_link\.bitcoin_started|webhook\.failing|staff\.locked|terminal\.profile_changed)$/;

/** Invariant 10: each fact is announced by exactly one event. */
function* eventFaults({ refunds, payments, discrepancies, lockoutCounts }: Observed, events: readonly EventRow[]) {
  const eventCounts = new Map<string, number>();
  for (const { subjectId, type } of events) {
    const event = `${subjectId} ${type}`;
    eventCounts.set(event, (eventCounts.get(event) ?? 0) + 1);
  }
  for (const [event, times] of eventCounts)
    if (times > 1 && !repeatable.test(event)) yield `"${event}" has ${times} events`;
  const locked = events.filter(({ type }) => type === 'staff.locked').map(({ subjectId }) => subjectId);
  for (const id of new Set([...lockoutCounts.keys(), ...locked])) {
    const [caused, announced] = [lockoutCounts.get(id) ?? 0, eventCounts.get(`${id} staff.locked`) ?? 0];
    if (caused !== announced) yield `${caused} lockouts of ${id} have ${announced} events`;
  }
  const { found, resolved } = discrepancyEvents(events);
  const rows = [...discrepancies.values()];
  if (found !== rows.length) yield `${rows.length} discrepancies have ${found} events`;
  if (resolved !== rows.filter(({ resolvedAt }) => resolvedAt !== null).length)
    yield `resolved discrepancies have ${resolved} events`;
  const finalStatuses = ['approved', 'declined', 'failed'];
  for (const { id, status, kind } of refunds.values()) {
    const expected = kind === 'BITCOIN' ? ['recorded'] : ['requested', status];
    for (const word of expected)
      if (!eventCounts.has(`${id} refund.${word}`)) yield `there is no event that ${id} was ${word}`;
    for (const word of finalStatuses)
      if (word !== status && eventCounts.has(`${id} refund.${word}`)) yield `there is an event that ${id} was ${word}`;
  }
  for (const { id, status, method } of payments.values()) {
    if (method !== 'card') continue;
    const word = status === 'declined' || status === 'failed' ? status : 'approved';
    if (!eventCounts.has(`${id} payment.${word}`)) yield `there is no event that ${id} was ${word}`;
  }
}

/** The hash chain, recomputed. */
function* chainFaults(entries: readonly AuditEntryRow[]) {
  let previousHash = '0'.repeat(64);
  let sequence = 0;
  for (const entry of entries) {
    sequence += 1;
    const { id, businessId, kind, status, reason, staffId, terminalId, paymentId, refundId } = entry;
    const { actorKind, actorId, amountMinor, detailJson } = entry;
    const what = [
      kind,
      status,
      reason,
      actorKind,
      actorId,
      staffId,
      terminalId,
      paymentId,
      refundId,
      amountMinor,
      detailJson,
    ];
    const columns = [id, businessId, entry.sequence, ...what, entry.attemptedAt, entry.recordedAt, previousHash];
    const hash = createHash('sha256')
      .update(JSON.stringify(['florin-audit-v1', ...columns]))
      .digest('hex');
    if (entry.sequence !== sequence || entry.previousHash !== previousHash || entry.hash !== hash)
      yield `the audit chain breaks at ${entry.sequence}`;
    previousHash = entry.hash;
  }
}

/** Every offline check of a terminal is in the log once, under the enrolment of that time, and no other is. */
function* deliveryFaults({ delivered }: Observed, entries: readonly AuditEntryRow[]) {
  const offline = entries.filter(({ detailJson }) => detailJson.includes('"offline":true'));
  if (offline.length !== delivered.size)
    yield `${delivered.size} offline checks were acknowledged, and ${offline.length} are in the log`;
  for (const { entryId, terminalId, staffId, paymentId, attemptedAt } of delivered.values())
    if (
      !offline.some(
        entry =>
          entry.terminalId === terminalId &&
          entry.staffId === staffId &&
          entry.paymentId === paymentId &&
          entry.attemptedAt === attemptedAt,
      )
    )
      yield `the log lacks the offline check ${entryId} or has it with other content`;
}

/** A refused call wrote nothing, so its key is not stored. */
function* keptRefusals(records: readonly Record<string, unknown>[]) {
  for (const { key, responseStatus } of records)
    if (Number(responseStatus ?? 0) >= 300) yield `the refusal of key ${String(key)} was stored`;
}

function* invoiceFaults({ payments }: Observed) {
  const numbers = [...payments.values()].filter(({ method }) => method === 'card').map(one => one.invoiceNumber);
  if (new Set(numbers).size !== numbers.length) yield 'an invoice number was given twice';
}

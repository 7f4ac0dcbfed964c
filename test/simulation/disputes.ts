import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import type { AuditEntryRow } from '../../backend/people/audit/rows.ts';
import type { Acknowledged } from './ledger.ts';
import type { Observed, SeenPayment, SeenRefund } from './observed.ts';

/** The largest difference between two processes' clocks. */
const skewMs = 5_000;

const amountDiffers = ['refund_amount_differs', 'payment_amount_differs'];

/** Changes to discrepancies that a commit must not make. */
export function* disputeFaults(
  before: ReadonlyMap<string, DiscrepancyRow>,
  after: ReadonlyMap<string, DiscrepancyRow>,
  seen: Pick<Observed, 'refunds' | 'payments'>,
) {
  for (const { id, resolutionJson } of before.values()) {
    const now = after.get(id);
    if (!now) yield `discrepancy ${id} is gone`;
    else if (resolutionJson !== null && resolutionJson !== now.resolutionJson)
      yield `discrepancy ${id} was resolved twice`;
  }
  for (const { id, kind, refundId, paymentId, resolvedAt } of after.values()) {
    if (resolvedAt === null || before.get(id)?.resolvedAt !== null) continue;
    const subject = refundId === null ? seen.payments.get(paymentId ?? '') : seen.refunds.get(refundId);
    if (amountDiffers.includes(kind) && subject?.status === 'pending')
      yield `discrepancy ${id} was resolved although ${subject.id} is not decided`;
  }
}

/** Reasons why a refund's outcome must not have become final. */
export function* endingFaults(row: SeenRefund, open: Iterable<DiscrepancyRow>, evidenceAfterMs: number) {
  if (row.resolutionJson !== null) {
    const askedMs = (row.outcomeAt ?? row.createdAt) - row.createdAt;
    if (askedMs < evidenceAfterMs - skewMs) yield `refund ${row.id} was resolved manually after ${askedMs} ms`;
    return;
  }
  for (const { kind, refundId, resolvedAt } of open)
    if (row.status === 'failed' && kind === 'refund_amount_differs' && refundId === row.id && resolvedAt === null)
      yield `refund ${row.id} failed although the bank reported the approval of another amount`;
}

/** The contested amount of open discrepancies and the amount accepted in resolved ones, by payment. */
export function disputedSums(
  discrepancies: Iterable<DiscrepancyRow>,
): Map<string, { contested: number; accepted: number }> {
  const sums = new Map<string, { contested: number; accepted: number }>();
  for (const { paymentId, contestedMinor, resolutionJson } of discrepancies) {
    if (paymentId === null) continue;
    const sum = sums.get(paymentId) ?? { contested: 0, accepted: 0 };
    sums.set(paymentId, sum);
    if (resolutionJson === null) sum.contested += contestedMinor;
    else if (resolutionJson.includes('"outcome":"gateway_right"')) sum.accepted += contestedMinor;
  }
  return sums;
}

/** Once nothing is pending: each acknowledged callback is either in the record or in one discrepancy that shows both sides. */
export function* disputesAtRest(seen: Observed, entries: readonly AuditEntryRow[]) {
  const rows = [...seen.discrepancies.values()];
  for (const acknowledged of firstOfEach(seen.ledger.acknowledgements))
    yield* acknowledgementFaults(seen, rows, acknowledged);
  for (const row of rows) yield* rowFaults(seen, row, entries);
  for (const { id, status } of seen.payments.values())
    if (
      status === 'settlement_rejected' &&
      !rows.some(row => row.paymentId === id && row.kind === 'settlement_rejected')
    )
      yield `there is no discrepancy that the settlement of ${id} was rejected`;
}

function firstOfEach(all: readonly Acknowledged[]): Acknowledged[] {
  const named = new Map(
    all.map(one => [[one.notified.uniqueReference, one.notified.gatewayReference, one.outcome].join(' '), one]),
  );
  return [...named.values()];
}

function* acknowledgementFaults(
  { refunds, payments }: Observed,
  rows: readonly DiscrepancyRow[],
  { notified, outcome }: Acknowledged,
) {
  if (!notified.approved) return;
  const isOf = (row: SeenRefund | SeenPayment) => row.uniqueReference === notified.uniqueReference;
  const record = [...refunds.values()].find(isOf) ?? [...payments.values()].find(isOf);
  if (!record) return;
  const about = rows.filter(({ refundId, paymentId }) => (refundId ?? paymentId) === record.id);
  if (outcome === 'rejected') {
    const discrepancies = about.filter(({ kind }) => kind.endsWith('amount_differs')).length;
    if (discrepancies !== 1)
      yield `the bank reported another amount of ${record.id}, and there are ${discrepancies} discrepancies about it`;
    return;
  }
  if (record.gatewayReference === notified.gatewayReference && record.status !== 'pending') return;
  const discrepancies = about.filter(
    ({ kind, gatewayJson }) => kind.includes('_approved_') && gatewayJson.includes(`"${notified.gatewayReference}"`),
  ).length;
  if (discrepancies !== 1)
    yield `the bank also approved ${record.id} as ${notified.gatewayReference}, and there are ${discrepancies} discrepancies about it`;
}

function* rowFaults({ ledger, refunds, payments }: Observed, row: DiscrepancyRow, entries: readonly AuditEntryRow[]) {
  const { id, kind, refundId, paymentId, recordedJson, gatewayJson, resolutionJson } = row;
  if (recordedJson === '{}' || gatewayJson === '{}') yield `discrepancy ${id} does not show both sides`;
  const subject = refundId === null ? payments.get(paymentId ?? '') : refunds.get(refundId);
  if (kind.endsWith('_approved_twice') && (ledger.rows.get(subject?.uniqueReference ?? '')?.references.size ?? 0) < 2)
    yield `${subject?.id} is reported as approved twice, and was not`;
  if (resolutionJson === null) return;
  const { by, evidence } = JSON.parse(resolutionJson) as { by: { kind: string }; evidence: string };
  if (evidence === '') yield `discrepancy ${id} was resolved without evidence`;
  if (by.kind === 'system') return;
  // Returned in full: the log has the return or the refund.
  if (kind === 'bitcoin_payment_in_excess' && /^(Returned by|Settled by) /.test(evidence)) return;
  const resolutions = entries.filter(
    entry =>
      entry.kind === 'discrepancy_resolved' &&
      entry.detailJson.includes(`"${id}"`) &&
      entry.detailJson.includes(recordedJson),
  ).length;
  if (resolutions !== 1) yield `the log has ${resolutions} entries of the resolution of ${id}`;
}

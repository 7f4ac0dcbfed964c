import {
  type DiscrepancyKind,
  type DiscrepancyRecord,
  rejectedCallbackKinds,
} from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { DiscrepancyRow } from './rows.ts';
import { english } from './words/en.ts';
import type { Meanings } from './words/meanings.ts';

export type DiscrepancyOutcome = 'gateway_right' | 'records_right';

/** Who decided, with the evidence; the system if the contradiction ended by itself. */
export type StoredResolution = {
  readonly outcome: DiscrepancyOutcome;
  readonly evidence: string;
  readonly by: { readonly kind: string; readonly id: string | null };
};

/** Kinds that leave no record and no money undecided: they need only an acknowledgement. */
const toAcknowledge: ReadonlySet<DiscrepancyKind> = new Set([
  'payment_voided_elsewhere',
  'settlement_rejected',
  'sale_currency_differs',
  'sale_paid_after_end',
  'sale_reversed_too_late',
  'bitcoin_payment_reverted',
  'bitcoin_payment_in_excess',
  'reply_not_believed',
  'reader_totals_differ',
  ...rejectedCallbackKinds,
]);

/** Whether a person has to say which side is right, or only that they have seen it. */
export function needOf(kind: DiscrepancyKind): DiscrepancyRecord['needs'] {
  return toAcknowledge.has(kind) ? 'acknowledgement' : 'decision';
}

/** The record of the API, with what it means in a language. */
export function discrepancyRecordOf(row: DiscrepancyRow, meanings: Meanings = english): DiscrepancyRecord {
  const resolution = row.resolutionJson === null ? null : (JSON.parse(row.resolutionJson) as StoredResolution);
  return {
    id: row.id,
    kind: row.kind,
    status: resolution === null ? 'open' : 'resolved',
    needs: needOf(row.kind),
    message: meanings[row.kind],
    paymentId: row.paymentId,
    refundId: row.refundId,
    recorded: JSON.parse(row.recordedJson),
    gateway: JSON.parse(row.gatewayJson),
    contestedInCents: row.contestedMinor,
    createdAt: new Date(row.createdAt).toISOString(),
    resolution: resolution && { ...resolution, resolvedAt: new Date(row.resolvedAt ?? row.createdAt).toISOString() },
  };
}

import type { Clock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import type { SaleEndings } from '../payments/completion.ts';
import { endReversal } from '../payments/due-store.ts';
import { markRejectedLate, paymentForUpdate } from '../payments/store.ts';
import { refundById } from '../refunds/store.ts';
import type { DecisionRequest } from './decision.ts';
import type { Decision, Discrepancies } from './discrepancies.ts';
import { type DiscrepancyOutcome, needOf } from './discrepancy.ts';
import type { DiscrepancyRow } from './rows.ts';
import { type DiscrepancyList, discrepanciesOfBusiness, discrepancyById } from './store.ts';

export type ResolutionRefusal =
  | { readonly kind: 'discrepancy_not_found' }
  | { readonly kind: 'discrepancy_already_resolved' }
  | { readonly kind: 'evidence_required' }
  /** Its refund or payment is not final and has to be decided first. */
  | { readonly kind: 'refund_not_decided' }
  | { readonly kind: 'payment_not_decided' };

export type DiscrepancyService = {
  list(options: DiscrepancyList): Promise<DiscrepancyRow[]>;
  /** Records a manual decision of which side is right, with evidence; an acknowledgement needs none. */
  resolve(
    request: Omit<DecisionRequest<DiscrepancyOutcome, DiscrepancyRow>, 'evidence'> & {
      readonly evidence?: string | undefined;
    },
  ): Promise<Result<DiscrepancyRow, ResolutionRefusal>>;
};

/**
 * Lists discrepancies and resolves them. One transaction closes the discrepancy, applies the decision to the payment
 * and writes the audit log.
 */
export function discrepancyService(options: {
  database: Database;
  clock: Clock;
  audit: AuditLog;
  discrepancies: Discrepancies;
  endings: () => SaleEndings;
}): DiscrepancyService {
  const { database, clock, audit, discrepancies, endings } = options;

  async function whyNot(
    tx: Transaction,
    row: DiscrepancyRow,
    isPending: boolean,
  ): Promise<ResolutionRefusal | undefined> {
    if (row.resolvedAt !== null) return { kind: 'discrepancy_already_resolved' };
    if (isPending && (row.kind === 'payment_amount_differs' || row.kind === 'sale_outcome_unknown'))
      return { kind: 'payment_not_decided' };
    if (row.kind !== 'refund_amount_differs' || row.refundId === null) return undefined;
    const refund = await tx.first(refundById, { businessId: row.businessId, id: row.refundId });
    return refund?.status === 'pending' ? { kind: 'refund_not_decided' } : undefined;
  }

  /** Applies the decision to the payment. */
  async function carryOut(tx: Transaction, { kind, paymentId }: DiscrepancyRow, { outcome, by }: Decision) {
    if (paymentId === null) return;
    if (kind === 'reversal_declined' || kind === 'reversal_overdue') {
      // The money was returned in another way, or the decider states that none is due.
      await tx.first(endReversal, { id: paymentId });
    } else if (kind === 'settlement_rejected_late') {
      if (outcome === 'records_right') await tx.run(markRejectedLate, { id: paymentId, rejectedLateAt: null });
    } else if (kind === 'sale_not_completed') {
      if (outcome === 'gateway_right') await endings().complete(tx, paymentId, by);
      else await endings().markForReversal(tx, { paymentId, reason: 'not_completed', dueAt: clock.now() }, by);
    }
  }

  return {
    list: ({ status, ...list }) => database.all(discrepanciesOfBusiness[status ?? 'all'], list),

    resolve: ({ businessId, id, write, outcome, evidence = '', by }) =>
      database.write(async tx => {
        await write?.begin(tx);
        const row = await tx.first(discrepancyById, { businessId, id });
        if (!row) return err({ kind: 'discrepancy_not_found' });
        const payment =
          row.paymentId === null ? undefined : await tx.first(paymentForUpdate, { businessId, id: row.paymentId });
        const refusal = await whyNot(tx, row, payment?.status === 'pending');
        if (refusal) return err(refusal);
        if (evidence === '' && needOf(row.kind) === 'decision') return err({ kind: 'evidence_required' });
        const decision: Decision = { outcome, evidence, by };
        const closed = await discrepancies.close(tx, row, decision);
        if (!closed) return err({ kind: 'discrepancy_already_resolved' });
        await carryOut(tx, closed, decision);
        const { kind, paymentId, refundId, contestedMinor, recordedJson, gatewayJson } = closed;
        await audit.append(tx, {
          businessId,
          kind: 'discrepancy_resolved',
          status: outcome,
          by,
          paymentId,
          amountMinor: contestedMinor,
          detail: {
            discrepancyId: id,
            kind,
            refundId,
            recorded: JSON.parse(recordedJson),
            gateway: JSON.parse(gatewayJson),
            evidence,
          },
        });
        await write?.finish(tx, closed);
        return ok(closed);
      }),
  };
}

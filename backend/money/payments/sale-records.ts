import type { SaleRecord, SaleReturn } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { ReceiptAddresses } from '../receipts/address.ts';
import { sourceOf } from '../refunds/refund.ts';
import {
  actionOf,
  blockOf,
  heldMinor,
  isBitcoin,
  paymentStatusOf,
  remainingMinor,
  returnedMinor,
  reversalOf,
  timestamp,
  timestampOf,
} from './payment.ts';
import type { PaymentRow } from './rows.ts';
import { type ReturnRow, returnsOf, terminalNamesOf } from './views-store.ts';

/** Terminals' sales as terminals show them. */
export interface SaleRecords {
  of(payment: PaymentRow): Promise<SaleRecord>;
  ofAll(payments: readonly PaymentRow[]): Promise<SaleRecord[]>;
}

/**
 * Reads refunds and terminal names of all given sales in at most two queries. Throws for a payment that was not taken
 * on a terminal.
 */
export function saleRecords(database: Database, receipts: ReceiptAddresses): SaleRecords {
  async function ofAll(payments: readonly PaymentRow[]): Promise<SaleRecord[]> {
    const touched = payments.filter(hasReturns).map(({ id }) => id);
    const rows = touched.length === 0 ? [] : await database.all(returnsOf, { idsJson: JSON.stringify(touched) });
    const byPayment = Map.groupBy(rows, ({ paymentId }) => paymentId);
    const names = await terminalNames(payments);
    return payments.map(payment => {
      const terminalName = names.get(payment.terminalId) ?? null;
      return saleRecordOf(payment, byPayment.get(payment.id) ?? [], { terminalName, receipts });
    });
  }

  async function terminalNames(payments: readonly PaymentRow[]): Promise<Map<string | null, string>> {
    const ids = [...new Set(payments.map(({ terminalId }) => terminalId))];
    const rows = ids.length === 0 ? [] : await database.all(terminalNamesOf, { idsJson: JSON.stringify(ids) });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  return {
    ofAll,
    async of(payment) {
      const [record] = await ofAll([payment]);
      if (!record) throw new Error('a payment has no record');
      return record;
    },
  };
}

/** Most sales have no refunds, so none are queried. */
function hasReturns(payment: PaymentRow): boolean {
  return payment.status === 'cancelled' || returnedMinor(payment) > 0 || heldMinor(payment) > 0;
}

function saleRecordOf(
  payment: PaymentRow,
  returns: readonly ReturnRow[],
  { terminalName, receipts }: { readonly terminalName: string | null; readonly receipts: ReceiptAddresses },
): SaleRecord {
  if (payment.saleId === null) throw new Error(`payment ${payment.id} was not taken on a terminal`);
  return {
    saleId: payment.saleId,
    paymentId: payment.id,
    invoiceNumber: payment.invoiceNumber,
    amountInCents: payment.amountMinor,
    tipInCents: payment.tipMinor,
    currency: payment.currency,
    status: paymentStatusOf(payment),
    refundedInCents: returnedMinor(payment),
    pendingInCents: heldMinor(payment),
    returns: returns.map(each => saleReturnOf(each, receipts)),
    remainingInCents: remainingMinor(payment),
    action: actionOf(payment),
    method: isBitcoin(payment.method) ? payment.method : 'card',
    bitcoin: isBitcoin(payment.method)
      ? { amountSats: payment.amountSats ?? 0, txId: payment.gatewayReference ?? '' }
      : null,
    blocked: blockOf(payment),
    cardScheme: payment.cardScheme,
    cardLastFour: payment.cardLastFour,
    entryMode: payment.entryMode,
    authorisationCode: payment.authorisationCode,
    authorisedBy: payment.authorisedBy,
    processorReference: payment.authorisedBy === 'reader' ? payment.gatewayReference : null,
    declineMessage: payment.declineMessage,
    reference: payment.reference,
    reversal: reversalOf(payment),
    terminalName,
    receipt: receipts.ofPayment(payment),
    takenAt: timestampOf(payment.takenAt),
    createdAt: timestamp(payment.createdAt),
  };
}

function saleReturnOf(row: ReturnRow, receipts: ReceiptAddresses): SaleReturn {
  const { kind, status, amountMinor, staffName, staffNumber, requesterName, requesterNumber } = row;
  return {
    kind: kind as SaleReturn['kind'],
    status: status as SaleReturn['status'],
    amountInCents: amountMinor,
    source: sourceOf(row),
    staffName,
    staffNumber,
    requestedBy:
      requesterName === null || requesterNumber === null ? null : { name: requesterName, staffNumber: requesterNumber },
    terminalName: row.terminalName,
    gatewayReference: row.gatewayReference,
    receipt: receipts.ofRefund(row),
    createdAt: timestamp(row.createdAt),
    settledAt: timestampOf(row.outcomeAt),
  };
}

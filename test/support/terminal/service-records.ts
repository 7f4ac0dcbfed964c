import { randomBytes } from 'node:crypto';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { DayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import type { TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { SaleRecord, SaleReturn, SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';

/** The business that the terminal works for. */
export const corner: TerminalConfiguration['business'] = {
  id: 'biz_0000000001',
  name: 'Corner Café',
  countryCode: 'GB',
  currency: 'GBP',
  locale: 'en-GB',
  timeZone: 'Europe/London',
  passwordProtectRefundsAndVoids: true,
  counter: {
    quickAmountsInCents: [],
    confirmAboveInCents: null,
    playsSounds: false,
    saleReference: 'none',
    tipPercents: [],
  },
  takesBitcoin: false,
  emailsReceipts: false,
};

/** `partly`: the bank approved a part, which the service voids; `partlyUnvoided`: and could not void yet. */
export type BankAnswer = 'approved' | 'declined' | 'pending' | 'partly' | 'partlyUnvoided';

/** The record of a sale that the bank answered like this. */
export function authorisedRecord(options: {
  saleId: string;
  invoiceNumber: string;
  amountInCents: number;
  currency: string;
  bankOutcome: BankAnswer;
  at: string;
}): SaleRecord {
  const { saleId, invoiceNumber, amountInCents, currency, bankOutcome, at } = options;
  const isPart = bankOutcome === 'partly' || bankOutcome === 'partlyUnvoided';
  const status = statusAfter(bankOutcome);
  return acting({
    saleId,
    paymentId: `pay_${saleId.slice(5)}`,
    invoiceNumber,
    amountInCents,
    tipInCents: 0,
    currency,
    status,
    authorisedBy: 'host',
    method: 'card',
    bitcoin: null,
    processorReference: null,
    refundedInCents: 0,
    pendingInCents: 0,
    returns: [],
    remainingInCents: amountInCents,
    action: 'none',
    cardScheme: 'Visa',
    cardLastFour: '1111',
    entryMode: 'chip',
    authorisationCode: status === 'unsettled' ? 'A12345' : null,
    reference: null,
    declineMessage: status === 'declined' ? 'Do not honour' : null,
    blocked: null,
    reversal: isPart
      ? { reason: 'partial_approval', status: status === 'cancelled' ? 'voided' : 'void_pending' }
      : null,
    terminalName: 'Till 1',
    receipt: null,
    takenAt: at,
    createdAt: at,
  });
}

/** A pending refund or void of a sale; without an amount, of all of it. */
export function pendingRefund(options: {
  sale: SaleRecord;
  kind: 'CANCEL' | 'REFUND_SALE';
  amountInCents: number | null;
  staff: RefundRecord['staff'];
  requestedBy: RefundRecord['requestedBy'];
  at: string;
}): RefundRecord {
  const { sale, kind, amountInCents, staff, requestedBy, at } = options;
  return {
    id: `ref_${randomBytes(8).toString('hex')}`,
    kind,
    status: 'pending',
    amountInCents: amountInCents ?? sale.amountInCents,
    amount: null,
    currency: sale.currency,
    paymentId: sale.paymentId ?? '',
    paymentLinkId: null,
    originalSaleId: sale.saleId,
    source: 'terminal',
    staff,
    requestedBy,
    approvedBy: requestedBy && staff,
    apiKeyId: null,
    reason: null,
    gatewayReference: 'G-1',
    gatewayMessage: null,
    failureCause: null,
    pendingDetail: 'Waiting for the bank’s answer.',
    remainingInCents: sale.remainingInCents,
    remainingSats: null,
    paymentStatus: sale.status,
    receipt: null,
    createdAt: at,
    settledAt: null,
  };
}

/** An approved refund as the sale's record lists it. */
export function returnOf(refund: RefundRecord): SaleReturn {
  const { kind, amountInCents, source, staff, requestedBy, gatewayReference, createdAt, settledAt } = refund;
  if (kind === 'BITCOIN') throw new Error('no card was refunded');
  return {
    kind,
    status: 'approved',
    amountInCents: amountInCents ?? 0,
    source,
    staffName: staff?.name ?? null,
    staffNumber: staff?.staffNumber ?? null,
    requestedBy,
    terminalName: null,
    gatewayReference,
    receipt: null,
    createdAt,
    settledAt,
  };
}

/** The record with the action that its status allows. */
export function acting(record: SaleRecord): SaleRecord {
  const actions: Partial<Record<SaleRecord['status'], SaleRecord['action']>> = {
    unsettled: 'void',
    settled: 'refund',
    partly_refunded: 'refund',
  };
  return { ...record, blocked: null, action: actions[record.status] ?? 'none' };
}

/** The state of a reversal of a sale that the bank has not approved. */
export const earlyReversal: Partial<Record<SaleRecord['status'], SaleReversal['status']>> = {
  declined: 'not_needed',
  pending: 'awaiting_outcome',
};

/** The record with a reversal in this state. */
export function reversedRecord(
  record: SaleRecord,
  reason: SaleReversal['reason'],
  status: SaleReversal['status'],
): SaleRecord {
  const reversed = { ...record, reversal: { reason, status } };
  if (status === 'voided') return acting({ ...reversed, status: 'cancelled' });
  if (status !== 'refunded') return reversed;
  return acting({ ...reversed, status: 'refunded', refundedInCents: record.amountInCents, remainingInCents: 0 });
}

/** The record once the bank has decided; a reversal on record is carried out, or is not needed. */
export function decidedRecord(
  record: SaleRecord,
  status: 'unsettled' | 'declined',
  becomes: SaleReversal['status'],
): SaleRecord {
  const authorisationCode = status === 'unsettled' ? 'A12345' : null;
  const decided = acting({ ...record, status, authorisationCode });
  if (record.reversal === null) return decided;
  return reversedRecord(decided, record.reversal.reason, earlyReversal[status] ?? becomes);
}

function statusAfter(answer: BankAnswer): 'unsettled' | 'cancelled' | 'declined' | 'pending' {
  if (answer === 'approved' || answer === 'partlyUnvoided') return 'unsettled';
  return answer === 'partly' ? 'cancelled' : answer;
}

/** The totals of a day on which all these sales were taken, on this terminal. */
export function dayTotalsOf(records: readonly SaleRecord[], query: URLSearchParams, now: number): DayTotals {
  const date = query.get('date') ?? '';
  const asOf = new Date(now).toISOString();
  const takenInCents = records.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  const sums = {
    rail: 'card',
    currency: 'GBP',
    takenInCents,
    voidedInCents: 0,
    rejectedInCents: 0,
    refundedInCents: 0,
    netInCents: takenInCents,
    paymentCount: records.length,
    voidCount: 0,
    rejectedCount: 0,
    refundCount: 0,
    tipInCents: 0,
    tipCount: 0,
    takenSats: 0,
    refundedSats: 0,
  } as const;
  const totals = { rails: records.length === 0 ? [] : [sums], open: [] };
  const [from, to] = [`${date}T00:00:00.000Z`, `${date}T23:59:59.999Z`];
  return { date, timeZone: 'Europe/London', from, to, asOf, terminal: totals, business: totals };
}

function fieldOf(q: string): SearchTerm['field'] {
  if (q.length === 22) return 'receipt';
  if (/^\d+\.\d\d$/.test(q)) return 'amount';
  return /^INV-/i.test(q) ? 'invoice_number' : 'reference';
}

/** A page of the sales, newest first: all, or those of an invoice number or a receipt's token. */
export function salesFound(
  records: readonly SaleRecord[],
  query: URLSearchParams,
  receiptTokens: ReadonlyMap<string, string>,
) {
  const q = query.get('q');
  const all = records
    .filter(record => q === null || [record.invoiceNumber, receiptTokens.get(record.saleId)].includes(q))
    .toReversed();
  const from = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 25);
  const field = fieldOf(q ?? '');
  return {
    items: all.slice(from, from + limit),
    nextCursor: from + limit < all.length ? String(from + limit) : null,
    searchedBackTo: null,
    searchedFor: q === null ? null : [{ field, value: q }],
  };
}

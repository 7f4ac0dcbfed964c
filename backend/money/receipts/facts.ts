import type { ReceiptFacts, ReceiptReturn } from '@florin/shared/receipts/document.ts';
import type { Business } from '../../people/businesses/service.ts';
import { isBitcoin, takenMinor, timestamp } from '../payments/payment.ts';
import { tipMinorOf } from '../payments/views.ts';
import type { PaymentView } from '../payments/views-store.ts';
import type { RefundRow } from '../refunds/rows.ts';
import type { ReceiptAddresses } from './address.ts';
import type { ReceiptRow } from './rows.ts';
import type { Returned } from './store.ts';

/** The records that a receipt is written from. */
export type ReceiptRecords = {
  readonly receipt: ReceiptRow;
  readonly business: Business;
  readonly payment: PaymentView;
  /** The void or refund that the receipt is of; undefined for a sale's own. */
  readonly refund: RefundRow | undefined;
  /** What was taken back of the payment, by whatever record. */
  readonly returned: readonly Returned[];
  /** What the software that asked for the payment calls it. */
  readonly reference: string | null;
};

/** What a receipt says, now. The card is its scheme and last four digits: nothing more of it is stored. */
export function factsOf(records: ReceiptRecords, addresses: Pick<ReceiptAddresses, 'of'>): ReceiptFacts {
  const { receipt, business, payment, refund } = records;
  const { currency } = payment;
  const sale = saleOf(payment);
  const returns = records.returned.toSorted((a, b) => a.at - b.at).map(each => returnOf(each, addresses));
  return {
    id: receipt.id,
    url: addresses.of(receipt.subjectId).url,
    kind: kindOf(refund),
    business: {
      id: business.id,
      name: business.name,
      addressLines: JSON.parse(business.addressLinesJson) as string[],
      countryCode: business.countryCode,
    },
    timeZone: business.timeZone,
    currency,
    ...(refund ? refundOf(refund) : sale),
    tipMinor: refund ? null : tipMinorOf(payment) || null,
    description: payment.linkDescription,
    reference: records.reference,
    paidWith: paidWithOf(payment),
    paymentId: payment.id,
    invoiceNumber: payment.invoiceNumber,
    sale: refund ? { url: addresses.of(payment.id).url, ...sale } : null,
    returns: refund ? [] : returns,
    remainingMinor: Math.max(0, sale.amountMinor - sumOf(returns.map(({ amountMinor }) => amountMinor))),
    remainingSats: payment.amountSats === null ? null : remainingSatsOf(payment.amountSats, returns),
  };
}

function kindOf(refund: RefundRow | undefined): ReceiptFacts['kind'] {
  if (!refund) return 'sale';
  return refund.kind === 'CANCEL' ? 'void' : 'refund';
}

function saleOf(payment: PaymentView) {
  const { amountSats, takenAt, createdAt } = payment;
  return { at: timestamp(takenAt ?? createdAt), amountMinor: takenMinor(payment), amountSats };
}

function refundOf({ outcomeAt, createdAt, amountMinor, amountSats }: RefundRow) {
  return { at: timestamp(outcomeAt ?? createdAt), amountMinor, amountSats };
}

function paidWithOf(payment: PaymentView): ReceiptFacts['paidWith'] {
  const { method, cardScheme, cardLastFour, entryMode, applicationId, authorisationCode, gatewayReference } = payment;
  const transactionId = isBitcoin(method) ? gatewayReference : null;
  return { method, cardScheme, cardLastFour, entryMode, applicationId, authorisationCode, transactionId };
}

const kinds = { voided: 'void', returned: 'refund', rejected: 'rejected' } as const;

function returnOf(
  { effect, at, amountMinor, amountSats, refundId }: Returned,
  addresses: Pick<ReceiptAddresses, 'of'>,
) {
  if (effect === 'taken') throw new Error('a movement that takes money returns none');
  return {
    kind: kinds[effect],
    at: timestamp(at),
    amountMinor: Math.abs(amountMinor),
    amountSats: amountSats === null ? null : Math.abs(amountSats),
    url: refundId === null ? null : addresses.of(refundId).url,
  } satisfies ReceiptReturn;
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function remainingSatsOf(takenSats: number, returns: readonly ReceiptReturn[]): number {
  return Math.max(0, takenSats - sumOf(returns.map(({ amountSats }) => amountSats ?? 0)));
}

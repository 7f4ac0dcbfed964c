import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoment } from '@florin/shared/moments.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { Notice } from '../../ipc/view.ts';
import type { CoreWords, ReceiptSettings } from '../words.ts';

/** The notice to the cashier for a refund record. */
export function recordNotice(refund: RefundRecord, { words, locale }: { words: CoreWords; locale: string }): Notice {
  const { returned, noMoneyMoved } = words;
  const isVoid = refund.kind === 'CANCEL';
  const amount = formatMoney({ amountMinor: refund.amountInCents ?? 0, currency: refund.currency }, locale);
  const bank = refund.gatewayMessage ? [returned.bankSays(refund.gatewayMessage)] : [];
  switch (refund.status) {
    case 'approved':
    case 'recorded':
      return isVoid
        ? returned.voided
        : { message: returned.refunded.message, detail: returned.refunded.detail(amount) };
    case 'declined': {
      const { message, detail } = returned.declined;
      return { message, detail: [detail, ...bank, noMoneyMoved].join(' ') };
    }
    case 'failed': {
      const { message, detail, next } = returned.failed;
      return { message, detail: [detail, noMoneyMoved, ...bank, next].join(' ') };
    }
    case 'pending':
      return { message: returned.checking, detail: isVoid ? returned.checkingVoid : returned.checkingRefund(amount) };
    default:
      return unreachable(refund.status);
  }
}

/** The receipt of an approved void or refund, in the order printed; lines whose value is unknown are omitted. */
export function refundReceipt(
  options: ReceiptSettings & {
    refund: Pick<RefundRecord, 'kind' | 'amountInCents' | 'currency' | 'createdAt' | 'settledAt' | 'gatewayReference'>;
    sale: SaleRecord;
    staff: string | null;
    /** The staff member who asked for it, if `staff` approved it for them. */
    requestedBy: string | null;
  },
): { label: string; value: string }[] {
  const { refund, sale, staff, requestedBy, locale } = options;
  const { receipt } = options.words;
  const amountMinor = refund.amountInCents ?? sale.amountInCents;
  const invoice = refund.kind === 'CANCEL' ? receipt.voidOfInvoice : receipt.refundOfInvoice;
  return [
    { label: receipt.business, value: options.businessName },
    ...(options.terminalName === null ? [] : [{ label: receipt.terminal, value: options.terminalName }]),
    { label: receipt.date, value: formatMoment(Date.parse(refund.settledAt ?? refund.createdAt), options) },
    { label: invoice, value: sale.invoiceNumber },
    { label: receipt.amount, value: formatMoney({ amountMinor, currency: refund.currency }, locale) },
    ...(sale.cardLastFour
      ? [{ label: receipt.card, value: `${cardNameOf(sale.cardScheme)} •••• ${sale.cardLastFour}` }]
      : []),
    ...(requestedBy ? [{ label: receipt.requestedBy, value: requestedBy }] : []),
    ...(staff ? [{ label: requestedBy ? receipt.approvedBy : receipt.authorisedBy, value: staff }] : []),
    ...(refund.gatewayReference ? [{ label: receipt.bankReference, value: refund.gatewayReference }] : []),
  ];
}

/** A staff member as a receipt names them. */
export function nameAndNumber({ name, staffNumber }: { readonly name: string; readonly staffNumber: string }): string {
  return `${name} (${staffNumber})`;
}

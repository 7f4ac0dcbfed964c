import { cardNameOf } from '@florin/shared/card-schemes.ts';
import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { formatMoment } from '@florin/shared/moments.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { Notice } from '../../ipc/view.ts';
import type { BrokenLimit } from '../staff/offline.ts';
import type { CoreWords, DisplaySettings } from '../words.ts';

/** States the limit, so that the next attempt fits: another staff ID, or a smaller amount. */
export function limitNotice(
  broken: BrokenLimit,
  context: { words: CoreWords; staffName: string | null; money: (amountMinor: number) => string },
  /** A colleague can approve it now: their staff ID is asked for on the same screen. */
  { isApprovable } = { isApprovable: false },
): Notice {
  const { staffName, money } = context;
  const { limits } = context.words;
  const limit = money(broken.limitMinor);
  const next = isApprovable ? limits.colleagueApproves : limits.otherPerson;
  if (broken.reason === 'limit_exceeded') {
    return { message: limits.perTransaction.message, detail: limits.perTransaction.detail(staffName, limit, next) };
  }
  const left = money(Math.max(0, broken.limitMinor - broken.usedMinor));
  return { message: limits.daily.message, detail: limits.daily.detail(staffName, limit, left, next) };
}

/** `triesLeft` before a lockout; null if unknown. */
export function incorrectPassword(triesLeft: number | null, words: CoreWords): Notice {
  const { message, triesLeft: left } = words.incorrectPassword;
  return { message, detail: triesLeft === null ? words.noMoneyMoved : `${words.noMoneyMoved} ${left(triesLeft)}` };
}

type Lockout = { readonly words: CoreWords; readonly staffName: string | null };

/** For an authorisation sent during a lockout: its password was not checked. `until` is a formatted time, if known. */
export function tooManyAttempts(until: string | null, { words, staffName }: Lockout): Notice {
  return { message: words.lockouts.tooManyAttempts, detail: words.lockouts.staff(staffName, until) };
}

/** The terminal itself is locked: no staff member can authorise anything on it. */
export function terminalLockedOut(until: string | null, words: CoreWords): Notice {
  return { message: words.lockouts.tooManyAttempts, detail: words.lockouts.terminal(until) };
}

/** For a staff member locked out by the service or by this terminal's count. `until` is a formatted time, if known. */
export function lockedOut(until: string | null, { words, staffName }: Lockout): Notice {
  const { lockouts } = words;
  return {
    message: until ? lockouts.lockedOutUntil(until) : lockouts.lockedOut,
    detail: lockouts.staff(staffName, until),
  };
}

/** When the sale may be looked at again: a formatted time, within a minute, or not known. */
export type LookAgain = { readonly at: string } | 'inAMinute' | 'later';

/** A refusal because of the payment's state. The service's own message is meant for developers and is not shown. */
export function refusalNotice(reason: string | null, words: CoreWords, lookAgain: LookAgain = 'later'): Notice {
  const { refusals } = words;
  if (reason === null || !Object.hasOwn(refusals, reason)) return refusals.other;
  const refusal = refusals[reason as keyof typeof refusals];
  if (reason !== 'payment_settling') return refusal;
  const again = typeof lookAgain === 'object' ? words.lookAgain.at(lookAgain.at) : words.lookAgain[lookAgain];
  return { message: refusal.message, detail: `${refusal.detail} ${again}` };
}

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
  options: DisplaySettings & {
    refund: RefundRecord;
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
    { label: receipt.terminal, value: options.terminalName },
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

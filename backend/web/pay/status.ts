import type { ClaimRefusal } from '@florin/shared/contracts/claims.ts';
import type { pageProblems } from '@florin/shared/contracts/pages.ts';
import type { CustomerLink } from '../../channels/payment-links/customer.ts';
import { isBitcoin } from '../../money/payments/payment.ts';
import { type Html, html } from '../ui/html.ts';
import { goesByItself, notice, noticeOf } from '../ui/notice.ts';
import type { Writing } from '../ui/writing.ts';
import type { PayerWords } from '../words/payer-words.ts';
import { bitcoinStatus } from './bitcoin.ts';

export type PageProblem = (typeof pageProblems)[number];

/** Whether the page shows the link's status instead of this customer's payment. */
function showsLinkStatus({ status, progress }: CustomerLink): boolean {
  if (progress.kind === 'none' || status === 'PARTIALLY_PAID') return true;
  return status === 'EXPIRED' && ['declined', 'failed', 'voided'].includes(progress.kind);
}

/** How the link or this customer's payment stands; undefined where nothing is to be said. */
export function statusOf(link: CustomerLink, writing: Writing): Html | undefined {
  const { status, progress, business } = link;
  const { words } = writing;
  const isMine = progress.kind === 'paid';
  if (status === 'PAID' && link.paidMinor < link.amountMinor)
    return voided(business.name, words.pay.voidedAskForNew, words);
  if (status === 'PAID' || (isMine && link.paidMinor >= link.amountMinor)) return paid(link, isMine, words);
  if (isMine) return html`${paidInPart(link, writing)}${balance(link, writing)}`;
  if (!showsLinkStatus(link)) return progressOf(link, writing);
  switch (status) {
    case 'ACTIVE':
      return undefined;
    case 'PARTIALLY_PAID':
      return html`${partPayment(link, writing)}${balance(link, writing)}`;
    case 'EXPIRED':
      return expired(link, writing);
  }
}

/** Expired takes precedence; the page states what was paid before. */
function expired({ paidMinor, amountMinor, currency, business }: CustomerLink, { amount, words }: Writing): Html {
  const { pay } = words;
  const merchant = business.name;
  const line =
    paidMinor >= amountMinor
      ? pay.expiredPaid
      : paidMinor > 0
        ? pay.expiredPart({ paid: amount(paidMinor, currency), merchant })
        : pay.expiredUnpaid(merchant);
  return notice('ended', pay.expired, [line]);
}

/** A bitcoin payment cannot be attributed to a browser. */
function paid({ business: { name }, successUrl, payments }: CustomerLink, isMine: boolean, words: PayerWords): Html {
  const { pay } = words;
  const isSuccess = isMine || payments.some(({ method }) => isBitcoin(method));
  return html`${notice('success', isSuccess ? pay.success : pay.paid, [pay.paidWhy(name)])}
${isMine && successUrl !== null && html`<a class="button" href="${successUrl}" rel="noreferrer" data-redirect>${pay.continueTo(name)}</a>${goesByItself(words)}`}`;
}

/** The bank approved less than requested. */
function paidInPart({ amountMinor, paidMinor, currency, business }: CustomerLink, { amount, words }: Writing): Html {
  const [part, whole] = [amount(paidMinor, currency), amount(amountMinor, currency)];
  return notice('attention', words.pay.partTaken, [words.pay.partTakenWhy({ part, whole, merchant: business.name })]);
}

/** The specification's message, and how to pay the rest. */
function partPayment({ amountMinor, paidMinor, currency, business }: CustomerLink, { amount, words }: Writing): Html {
  return notice('attention', words.pay.partPaid, [
    words.pay.partPaymentUnavailable(amount(amountMinor - paidMinor, currency)),
    words.pay.payRest(business.name),
  ]);
}

function balance({ amountMinor, paidMinor, currency }: CustomerLink, { amount, words }: Writing): Html {
  return html`<dl class="facts">
<div><dt>${words.pay.paidSoFar}</dt><dd><bdi>${amount(paidMinor, currency)}</bdi></dd></div>
<div><dt>${words.pay.leftToPay}</dt><dd><bdi>${amount(amountMinor - paidMinor, currency)}</bdi></dd></div>
</dl>`;
}

function progressOf(link: CustomerLink, writing: Writing): Html | undefined {
  const { progress, business } = link;
  const { words, time } = writing;
  const { pay } = words;
  switch (progress.kind) {
    case 'none':
    case 'paid':
      return undefined;
    case 'sending':
      return noticeOf('attention', pay.sending, [], true);
    case 'checking':
      return noticeOf('attention', pay.checking, [pay.checkingLater(business.name)], true);
    case 'at_bank':
      return progress.step === 'method'
        ? noticeOf('attention', pay.contactingBank, [], true)
        : noticeOf('attention', pay.bankAsks);
    case 'at_bank_elsewhere':
      return notice('attention', pay.bankElsewhere, [pay.bankElsewhereWhy(time(progress.endsAt))]);
    case 'bitcoin':
      return bitcoinStatus(link, progress, writing);
    case 'declined':
      return noticeOf(progress.by === 'bank_check_incomplete' ? 'attention' : 'refused', pay.declined[progress.by]);
    case 'voided':
      return voided(business.name, pay.voidedPayBelow, words);
    case 'failed':
      return noticeOf('refused', pay.failed);
  }
}

function voided(merchant: string, next: string, { pay }: PayerWords): Html {
  return notice('ended', pay.voided, [`${pay.voidedBy(merchant)} ${next}`]);
}

/** Why the page's last request was refused. */
export function problemOf(problem: Exclude<PageProblem, ClaimRefusal>, { pay }: PayerWords): Html {
  switch (problem) {
    case 'rate_unavailable':
    case 'bitcoin_unavailable':
      return noticeOf('attention', pay.bitcoinUnavailable);
    case 'bitcoin_amount_out_of_range':
      return noticeOf('attention', pay.bitcoinAmount);
    case 'payment_in_progress':
      return noticeOf('attention', pay.inProgress);
  }
}

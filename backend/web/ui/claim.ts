import { type ClaimRefusal, type ClaimStatus, claimRefusals } from '@florin/shared/contracts/claims.ts';
import { Html, html } from './html.ts';
import type { Writing } from './writing.ts';

/** An amount in satoshis with its value at the requested price, which is null if the price is in bitcoin. */
export function claimedAmount(
  claimed: { readonly sats: number; readonly worthMinor: number | null; readonly currency: string },
  { amount, sats }: Writing,
): string {
  const { worthMinor, currency } = claimed;
  return worthMinor === null ? sats(claimed.sats) : `${sats(claimed.sats)} (about ${amount(worthMinor, currency)})`;
}

/** The state of the return, and what the customer has to do. */
export function claimText(merchant: string, status: ClaimStatus): string {
  switch (status) {
    case 'open':
      return `${merchant} has to return it to you: enter below where to.`;
    case 'requested':
      return `${merchant} knows where you want it back, and returns it there. This page says when that is done.`;
    case 'disputed':
      return `${merchant} was given different places to return it to, and has to find out which is right before it returns anything. Please contact ${merchant}.`;
    case 'returned':
      return `${merchant} has returned it.`;
  }
}

const refusalWords: Readonly<Record<ClaimRefusal, string>> = {
  destination_invalid: 'Nothing can be sent there: please check it.',
  other_network: 'This is on another bitcoin network than your payment: please give one of the same network.',
  destination_of_merchant:
    'This is the address or invoice you paid to, or another one of a shop: please give one of your own wallet.',
  invoice_expired: 'This Lightning invoice has expired: please make a new one.',
  invoice_amount_differs:
    'This Lightning invoice is for a different amount than the one to be returned: please make one for that amount, or without an amount.',
  too_many_destinations: 'Too many different places were given already: please contact the shop.',
};

/** Whether a problem concerns the return destination and belongs beside the form. */
export function isClaimRefusal(problem: string): problem is ClaimRefusal {
  return claimRefusals.some(each => each === problem);
}

/**
 * Asks the customer for a return destination, again if it cannot receive funds. A customer can add another one to
 * correct a mistake or to dispute one given by another person.
 */
export function claimForm(form: {
  readonly status: ClaimStatus;
  readonly merchant: string;
  readonly action: string;
  /** Why the previous destination was refused. */
  readonly refusal?: ClaimRefusal | undefined;
  readonly hidden?: Html | false;
}): Html | null {
  const { status, merchant, action, refusal, hidden } = form;
  if (status === 'returned') return null;
  const isRefused = refusal !== undefined;
  const fields = html`<form class="stack" method="post" action="${action}" data-claim>
<label for="destination">Where to return it</label>
<input class="field" id="destination" name="destination" required maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${isRefused && 'destination-problem '}destination-hint"${isRefused && html` aria-invalid="true" autofocus`}>
${isRefused && html`<p class="small problem" id="destination-problem">${refusalWords[refusal]}</p>`}
<p class="small muted" id="destination-hint">Your bitcoin address or your Lightning address, which looks like an email address. A Lightning invoice works only until it expires. Please check it for typing errors: it cannot be changed. ${status !== 'open' && `If you give another one, ${merchant} has to ask before it returns anything.`}</p>
${hidden}
<button class="button" type="submit">Ask for it back</button>
</form>`;
  if (status === 'open') return fields;
  return html`<div class="stack"><p data-destination-given hidden>You gave <bdi><strong></strong></bdi>. Please check it for typing errors: if it is wrong, contact ${merchant}.</p>
<details${isRefused && new Html(' open')}><summary>Is it wrong, or did someone else enter it?</summary>
${fields}
</details></div>`;
}

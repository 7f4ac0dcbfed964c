import { type ClaimRefusal, type ClaimStatus, claimRefusals } from '@florin/shared/contracts/claims.ts';
import type { PayerWords } from '../words/payer-words.ts';
import { around } from './document.ts';
import { Html, html } from './html.ts';
import type { Writing } from './writing.ts';

/** An amount in satoshis with its value at the requested price, which is null if the price is in bitcoin. */
export function claimedAmount(
  claimed: { readonly sats: number; readonly worthMinor: number | null; readonly currency: string },
  { amount, sats, words }: Writing,
): string {
  const { worthMinor, currency } = claimed;
  const counted = sats(claimed.sats);
  return worthMinor === null ? counted : words.claim.about({ sats: counted, worth: amount(worthMinor, currency) });
}

/** Whether a problem concerns the return destination and belongs beside the form. */
export function isClaimRefusal(problem: string): problem is ClaimRefusal {
  return claimRefusals.some(each => each === problem);
}

/**
 * Asks the customer for a return destination, again if it cannot receive funds. A customer can add another one to
 * correct a mistake or to dispute one given by another person.
 */
export function claimForm(
  form: {
    readonly status: ClaimStatus;
    readonly merchant: string;
    readonly action: string;
    /** Why the previous destination was refused. */
    readonly refusal?: ClaimRefusal | undefined;
    readonly hidden?: Html | false;
  },
  { claim: words }: PayerWords,
): Html | null {
  const { status, merchant, action, refusal, hidden } = form;
  if (status === 'returned') return null;
  const isRefused = refusal !== undefined;
  const fields = html`<form class="stack" method="post" action="${action}" data-claim>
<label for="destination">${words.where}</label>
<input class="field" id="destination" name="destination" required maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${isRefused && 'destination-problem '}destination-hint"${isRefused && html` aria-invalid="true" autofocus`}>
${isRefused && html`<p class="small problem" id="destination-problem">${words.refusals[refusal]}</p>`}
<p class="small muted" id="destination-hint">${words.hint} ${status !== 'open' && words.hintAgain(merchant)}</p>
${hidden}
<button class="button" type="submit">${words.ask}</button>
</form>`;
  if (status === 'open') return fields;
  return html`<div class="stack"><p data-destination-given hidden>${around(words.given, '')} ${words.givenCheck(merchant)}</p>
<details${isRefused && new Html(' open')}><summary>${words.isItWrong}</summary>
${fields}
</details></div>`;
}

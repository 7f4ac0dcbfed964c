import { keptInTab, takenFromTab } from './kept.ts';

/**
 * Whoever comes back from their bank is taken back, in the history of the tab, to the page they left from, which shows what became of
 * the payment: the Back button then leaves the link, and does not lead to the bank's form again.
 */

/** Longer than browsers take to begin with it. */
const givesUpAfterMs = 2_000;
/** With so many entries browsers forget the oldest, and their number says nothing. */
const mostEntries = 50;

const leftKey = (linkId: string) => `left:${linkId}`;
const carriedKey = (linkId: string) => `position:${linkId}`;

/** Where this page stands in the history of its tab. */
let position = 0;

/** Goes back to where the browser left for the bank; where it has not been there, begins with this page. */
export function arrive(linkId: string, begin: () => void): void {
  const carried = takenFromTab(carriedKey(linkId));
  const known = (history.state as { position?: number } | null)?.position ?? carried;
  position = known ?? history.length;
  history.replaceState({ position }, '');
  const left = takenFromTab(leftKey(linkId));
  const isBack = known === undefined && left !== undefined && left < position && position < mostEntries;
  if (isBack) {
    setTimeout(begin, givesUpAfterMs);
    history.go(left - position);
  } else begin();
}

/** Before this page is replaced by what the service shows of the link now. */
export function carryPosition(linkId: string): void {
  keptInTab(carriedKey(linkId), position);
}

/** Before the browser goes to the bank. */
export function leaveForBank(linkId: string): void {
  keptInTab(leftKey(linkId), position);
}

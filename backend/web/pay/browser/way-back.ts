import { keptInTab, takenFromTab } from './kept.ts';

/**
 * Returns a customer who comes back from the bank to the history entry they left from, which shows the result: the Back
 * button then leaves the link instead of reopening the bank's form.
 */

/** Longer than browsers take to start the navigation. */
const givesUpAfterMs = 2_000;
/** The history length at which browsers drop old entries, so that it is no longer meaningful. */
const maxEntries = 50;

const leftKey = (linkId: string) => `left:${linkId}`;
const carriedKey = (linkId: string) => `position:${linkId}`;

/** This page's position in the tab's history. */
let position = 0;

/** Goes back to the entry from which the browser left for the bank; otherwise starts with this page. */
export function arrive(linkId: string, begin: () => void): void {
  const carried = takenFromTab(carriedKey(linkId));
  const known = (history.state as { position?: number } | null)?.position ?? carried;
  position = known ?? history.length;
  history.replaceState({ position }, '');
  const left = takenFromTab(leftKey(linkId));
  const isBack = known === undefined && left !== undefined && left < position && position < maxEntries;
  if (isBack) {
    setTimeout(begin, givesUpAfterMs);
    history.go(left - position);
  } else begin();
}

/** Call before the page is replaced by its current state. */
export function carryPosition(linkId: string): void {
  keptInTab(carriedKey(linkId), position);
}

/** Call before the browser goes to the bank. */
export function leaveForBank(linkId: string): void {
  keptInTab(leftKey(linkId), position);
}

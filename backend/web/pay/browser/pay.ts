import { languageQuery } from '../../ui/browser/words.ts';
import { kept } from './kept.ts';
import { carryPosition } from './way-back.ts';

/** What the page was rendered for. */
export type Page = {
  readonly linkId: string;
  /** The payment that the page is about, where it is about one. */
  readonly attempt: string | undefined;
  readonly state: string;
  readonly progress: string;
  readonly amountMinor: number;
  /** When the ways to pay that are offered end; undefined where none is offered. */
  readonly payUntil: number | undefined;
};

/** Reads the facts that the service wrote into the `data-` attributes of the page. */
export function read(): Page {
  const { link = '', attempt, state = '', progress = '', amount, payUntil } = element('pay')?.dataset ?? {};
  return {
    linkId: link,
    attempt: attempt || undefined,
    state,
    progress,
    amountMinor: Number(amount),
    payUntil: payUntil ? Number(payUntil) : undefined,
  };
}

/** Null if the page does not show this element in its present state. */
export function element(id: string): HTMLElement | null {
  return document.getElementById(id);
}

/** The page as the service shows it now, for this payment. */
export function show(linkId: string, attempt: string | undefined): void {
  carryPosition(linkId);
  location.replace(addressOf(`/pay/${linkId}`, attempt));
}

/** An address of this page or its operations, in the language chosen on the page. */
export function addressOf(path: string, attempt: string | undefined): string {
  const query = new URLSearchParams({ ...(attempt !== undefined && { attempt }), ...languageQuery() }).toString();
  return query === '' ? path : `${path}?${query}`;
}

const storageKey = (linkId: string) => `attempt:${linkId}`;

/** Kept in this browser alone, so that a tab that was closed finds its payment again. Private windows may keep nothing. */
export function rememberAttempt(linkId: string, attempt: string | undefined): void {
  const key = storageKey(linkId);
  kept(() => (attempt === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, attempt)));
}

/** The payment of this link that this browser began; undefined if there is none, or if storage is not permitted. */
export function rememberedAttempt(linkId: string): string | undefined {
  return kept(() => localStorage.getItem(storageKey(linkId))) ?? undefined;
}

/** The key of a new payment attempt: 128 random bits in hexadecimal, because it authorises continuing the payment. */
export function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}

export type Answer = {
  readonly status: number;
  readonly state: string | undefined;
};

/** Sends JSON to the page's own operations; undefined where no answer came. */
export function post(path: string, body: object): Promise<Answer | undefined> {
  const headers = { 'content-type': 'application/json' };
  return answerTo(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** What the service has of this payment now; undefined where no answer came. */
export function readState(linkId: string, attempt: string | undefined): Promise<Answer | undefined> {
  return answerTo(addressOf(`/pay/${linkId}/state`, attempt), { cache: 'no-store' });
}

async function answerTo(address: string, request: RequestInit): Promise<Answer | undefined> {
  try {
    const answer = await fetch(address, request);
    const { state } = (await answer.json()) as { state?: string };
    return { status: answer.status, state };
  } catch {
    return undefined;
  }
}

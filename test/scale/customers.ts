import { createLinkPayment, createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { type Answer, apiRefund, newSaleId, type Operation, sale } from '../crash/operations.ts';
import type { LinkPayment, Shop } from '../crash/shop.ts';
import { pause } from '../crash/until.ts';
import { clientOf } from '../support/client.ts';
import { paymentTokenFrom } from '../support/shop.ts';

/** What the callers of the service saw. */
export type Seen = {
  readonly operations: Operation[];
  /** When each operation was answered, in milliseconds of `performance.now()`. */
  readonly answeredAtMs: number[];
  /** How often a call was not answered, or with an error of the service, by kind. Each was repeated. */
  readonly failures: Map<string, number>;
};

export function nothingSeen(): Seen {
  return { operations: [], answeredAtMs: [], failures: new Map() };
}

export type Market = {
  readonly url: string;
  readonly tokenUrl: string;
  readonly shop: Shop;
  /** Settled payments, of which much can be refunded. */
  readonly settled: readonly LinkPayment[];
};

const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** Little of each payment, so that a refund is not refused because of many others. */
const refundMinor = 10;

/** Makes the call until it is answered, as a shop's software does: the same request under the same key, ever less often. */
async function untilAnswered(operation: Operation, url: string, seen: Seen): Promise<Answer> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await operation.call(url).catch((error: unknown) => ({ status: 0, body: error }));
    if (answer.status > 0 && answer.status < 500) {
      const kept = { status: answer.status, body: answer.body };
      operation.answers.push(kept);
      seen.answeredAtMs.push(performance.now());
      return kept;
    }
    const kind =
      answer.status === 0 ? `no answer (${String(answer.body)})` : `${answer.status}${messageIn(answer.body)}`;
    seen.failures.set(kind, (seen.failures.get(kind) ?? 0) + 1);
    await pause(pauseMs);
  }
}

function messageIn(body: unknown): string {
  const message = (body as { error?: { message?: unknown } } | null)?.error?.message;
  return typeof message === 'string' ? ` ${message}` : '';
}

/** Keeps this many customers busy until it is over: each pays a link, gets some of it back, or buys something at a till. */
export async function trade(market: Market, customers: number, isOver: () => boolean, seen: Seen): Promise<void> {
  await Promise.all(
    Array.from({ length: customers }, async (_, customer) => {
      for (let turn = customer; !isOver(); turn += 1) await oneTurn(market, turn, seen);
    }),
  );
}

async function oneTurn(market: Market, turn: number, seen: Seen): Promise<void> {
  const { url, shop, settled } = market;
  const made = (operation: Operation) => {
    seen.operations.push(operation);
    return untilAnswered(operation, url, seen);
  };
  if (turn % 3 === 0) return void (await made(sale(shop.terminals[turn % 2 === 0 ? 0 : 1], 500)));
  const payment = settled[turn % settled.length];
  if (turn % 3 === 1 && payment) return void (await made(apiRefund(shop, payment, 'REFUND_SALE', refundMinor)));
  const paid = await payLink(market, made, seen);
  // Every other one is voided: it is not settled yet.
  if (paid && turn % 2 === 0) await made(apiRefund(shop, paid, 'CANCEL', null));
}

/** Makes a link and pays it, with a key for each of the two; undefined if the outcome is not known yet. */
async function payLink(
  { url, tokenUrl, shop }: Market,
  made: (operation: Operation) => Promise<Answer>,
  seen: Seen,
): Promise<LinkPayment | undefined> {
  const amountMinor = 1_000;
  const id = newSaleId();
  const options = { key: shop.apiKey, idempotencyKey: id };
  const body = { description: id, amountInCents: amountMinor, currency: 'GBP' };
  const linkMade: Operation = {
    id,
    kind: 'sale',
    isKeyed: false,
    call: to => clientOf(to).call(createPaymentLink, { body }, options),
    rowsIn: () => [],
    answers: [],
  };
  const link = await untilAnswered(linkMade, url, seen);
  if (link.status !== 201) throw new Error(`no payment link: ${JSON.stringify(link.body)}`);
  const linkId = (link.body as { id: string }).id;
  const paymentToken = await tokenOf(tokenUrl);
  const paid = await made({
    id: `pay-${id}`,
    kind: 'sale',
    isKeyed: false,
    call: to =>
      clientOf(to).call(
        createLinkPayment,
        { params: { id: linkId }, body: { paymentToken } },
        { ...options, idempotencyKey: `pay-${id}` },
      ),
    rowsIn: records => records.payments.filter(({ paymentLinkId }) => paymentLinkId === linkId),
    answers: [],
  });
  const payment = paid.body as { id: string; status: string };
  return payment.status === 'unsettled' ? { linkId, paymentId: payment.id, amountMinor } : undefined;
}

/** A connection to the gateway's fields may be closed at the moment that it is used again: nothing is paid there yet. */
async function tokenOf(tokenUrl: string): Promise<string> {
  for (;;) {
    const token = await paymentTokenFrom(tokenUrl).catch(() => undefined);
    if (token !== undefined) return token;
    await pause(firstPauseMs);
  }
}

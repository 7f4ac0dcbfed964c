import { createHmac, timingSafeEqual } from 'node:crypto';
import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import { money } from '@florin/shared/money.ts';
import { z } from 'zod';
import type {
  AuthorisationOutcome,
  CardPresentSale,
  LookupOutcome,
  LookupRequest,
  SentOperation,
  Unknown,
} from '../gateway.ts';
import type { HttpClient } from '../http-client.ts';
import { differenceFrom } from '../matching.ts';

/** The card-present interface: a small JSON protocol of our own, described in README.md. */
export type CardPresentOptions = {
  readonly url: string;
  /** Keys the message authentication of both directions. */
  readonly secret: string;
};

const boundTo = {
  merchantId: z.string(),
  uniqueReference: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
};
const approved = z.looseObject({
  ...boundTo,
  outcome: z.literal('approved'),
  gatewayReference: z.string().min(1),
  authorisationCode: z.string(),
  message: z.string(),
  /** Set if the bank approved only part of the amount. */
  approvedMinor: z.int().min(1).optional(),
  card: z.looseObject({ scheme: z.string(), lastFour: z.string().regex(/^\d{4}$/) }),
});
const declined = z.looseObject({
  ...boundTo,
  outcome: z.literal('declined'),
  code: z.string(),
  message: z.string(),
  gatewayReference: z.string().min(1).optional(),
});
const inProgress = z.looseObject({ ...boundTo, outcome: z.literal('inProgress') });
const notFound = z.looseObject({ ...boundTo, outcome: z.literal('notFound') });
const saleReply = z.discriminatedUnion('outcome', [approved, declined, inProgress]);
const lookupReply = z.discriminatedUnion('outcome', [approved, declined, inProgress, notFound]);

/**
 * Authorisations and lookups over the card-present interface. It sends each request once; a reply that fails
 * verification makes the outcome unknown.
 */
export function cardPresentClient(
  options: CardPresentOptions & {
    readonly merchantId: string;
    readonly callbackUrl: string;
    readonly send: HttpClient;
  },
) {
  /** Posts a signed message and parses the reply, which is authenticated together with the message. */
  async function ask<Reply extends Bound>(
    sale: Sale,
    details: { readonly operation: 'sale' | 'lookup'; readonly [name: string]: unknown },
    schema: z.ZodType<Reply>,
  ) {
    const { uniqueReference, amount } = sale;
    const message = { merchantId: options.merchantId, uniqueReference, ...amount, ...details };
    const body = JSON.stringify(message);
    const signature = hmac(options.secret, body);
    const answer = await options.send({
      method: 'POST',
      url: new URL(options.url),
      headers: { 'content-type': 'application/json', 'x-florin-signature': signature },
      body,
    });
    if (answer.kind !== 'reply') return answer;
    if (answer.status !== 200) return unknown('gateway_error');
    const text = answer.body.toString('utf8');
    if (!isSame(answer.headers['x-florin-signature'], hmac(options.secret, `${signature}.${text}`))) {
      return unknown('bad_signature');
    }
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) return unknown('malformed');
    const reply = parsed.data;
    const failure =
      reply.merchantId === options.merchantId
        ? differenceFrom({ operation: 'authorise', uniqueReference, amount }, reply)
        : 'merchant_differs';
    return failure ? unknown(failure) : { kind: 'answer' as const, reply };
  }

  return {
    async authorise(request: CardPresentSale): Promise<AuthorisationOutcome> {
      const answer = await ask(
        request,
        {
          operation: 'sale',
          invoiceNumber: request.invoiceNumber,
          callbackUrl: options.callbackUrl,
          card: request.card,
        },
        saleReply,
      );
      if (answer.kind !== 'answer') return answer;
      const { reply } = answer;
      switch (reply.outcome) {
        case 'approved':
          return approvedOf(reply, request.amount.currency);
        case 'declined':
          return declinedOf(reply);
        case 'inProgress':
          return unknown('in_progress');
      }
    },

    async lookup(request: LookupRequest): Promise<LookupOutcome> {
      const answer = await ask(request, { operation: 'lookup' }, lookupReply);
      if (answer.kind !== 'answer') return { kind: 'unanswered', cause: answer.cause };
      const { reply } = answer;
      switch (reply.outcome) {
        case 'approved':
          return approvedOf(reply, request.amount.currency);
        case 'declined':
          return declinedOf(reply);
        case 'inProgress':
          return { kind: 'inProgress' };
        case 'notFound':
          return { kind: 'notFound' };
      }
    },
  };
}

type Bound = { merchantId: string; uniqueReference: string; amountMinor: number; currency: string };
type Sale = Pick<SentOperation, 'uniqueReference' | 'amount'>;

function approvedOf(reply: z.infer<typeof approved>, currency: string) {
  return {
    kind: 'approved' as const,
    gatewayReference: reply.gatewayReference,
    message: reply.message,
    authorisationCode: reply.authorisationCode,
    amount: money(reply.approvedMinor ?? reply.amountMinor, currency),
    card: { scheme: cardSchemeOf(reply.card.scheme), lastFour: reply.card.lastFour },
  };
}

function declinedOf(reply: z.infer<typeof declined>) {
  return {
    kind: 'declined' as const,
    code: reply.code,
    message: reply.message,
    ...(reply.gatewayReference === undefined ? {} : { gatewayReference: reply.gatewayReference }),
  };
}

function unknown(cause: Unknown['cause']): Unknown {
  return { kind: 'unknown', cause };
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text, 'utf8').digest('hex');
}

function isSame(given: string | undefined, expected: string): boolean {
  const one = Buffer.from(given ?? '', 'utf8');
  const other = Buffer.from(expected, 'utf8');
  return one.length === other.length && timingSafeEqual(one, other);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

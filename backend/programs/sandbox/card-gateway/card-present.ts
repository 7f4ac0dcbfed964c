import { createHmac, timingSafeEqual } from 'node:crypto';
import { currencyNumber } from '@florin/shared/currency-numbers.ts';
import { z } from 'zod';
import type { MerchantAccount } from './accounts.ts';
import { openCardBlock } from './card-block.ts';
import { codes, type Refusal } from './codes.ts';
import type { TransactionRow } from './store.ts';
import type { Transactions } from './transactions.ts';

/** The card-present interface, which Cardstream does not have: README.md describes the messages. */
const reference = {
  merchantId: z.string().min(1).max(64),
  uniqueReference: z.string().min(1).max(128),
  amountMinor: z.int().min(1).max(999_999_999_999),
  currency: z.string().refine(code => currencyNumber(code) !== undefined, { error: 'unknown currency' }),
};
const message = z.discriminatedUnion('operation', [
  z.strictObject({
    operation: z.literal('sale'),
    ...reference,
    invoiceNumber: z.string().max(64),
    callbackUrl: z.string().max(2048).optional(),
    card: z.strictObject({
      encryptedBlock: z.base64().max(4096),
      keySerialNumber: z.string().regex(/^[0-9a-fA-F]{1,64}$/),
      entryMode: z.enum(['chip', 'contactless', 'swipe']),
    }),
  }),
  z.strictObject({ operation: z.literal('lookup'), ...reference }),
]);
export type CardPresentMessage = z.infer<typeof message>;
type SaleMessage = Extract<CardPresentMessage, { operation: 'sale' }>;

export type CardPresentAnswer = {
  readonly status: number;
  readonly body: string;
  readonly signature?: string;
  readonly row?: TransactionRow;
};

/** Parses and authenticates a message, or returns the refusal to send. */
export function readCardPresentMessage(options: {
  rawBody: string;
  signature: string | undefined;
  accounts: readonly MerchantAccount[];
}): { message: CardPresentMessage; account: MerchantAccount; signature: string } | CardPresentAnswer {
  const raw = parseJson(options.rawBody);
  const named = z.looseObject({ merchantId: z.string() }).safeParse(raw);
  const account = options.accounts.find(one => named.success && one.merchantID === named.data.merchantId);
  const signature = options.signature ?? '';
  // The body is neither used nor reported before it is authenticated.
  if (!account || !isSame(signature, hmac(account.cardPresentSecret, options.rawBody))) {
    return { status: 401, body: JSON.stringify({ error: 'message is not authenticated' }) };
  }
  const parsed = message.safeParse(raw);
  if (!parsed.success) return { status: 400, body: JSON.stringify({ error: 'malformed message' }) };
  return { message: parsed.data, account, signature };
}

/** Carries out a sale or a lookup and returns the authenticated reply. */
export function answerCardPresent(options: {
  message: CardPresentMessage;
  account: MerchantAccount;
  transactions: Transactions;
  /** The maximum amount that the bank approves. */
  partlyMinor?: number | undefined;
  decline?: { code: string; message: string };
}): { content: Record<string, unknown>; row?: TransactionRow } {
  const { message: asked, account, transactions } = options;
  const bound = {
    merchantId: asked.merchantId,
    uniqueReference: asked.uniqueReference,
    amountMinor: asked.amountMinor,
    currency: asked.currency,
  };
  if (asked.operation === 'lookup') {
    const row = transactions.cardPresentByReference(account, asked.uniqueReference);
    return row ? { content: contentOf(bound, row), row } : { content: { ...bound, outcome: 'notFound' } };
  }
  if (options.decline) return { content: { ...bound, outcome: 'declined', ...options.decline } };
  const sale = {
    uniqueReference: asked.uniqueReference,
    amountMinor: asked.amountMinor,
    currency: currencyNumber(asked.currency) ?? '',
    invoiceNumber: asked.invoiceNumber,
    callbackUrl: asked.callbackUrl,
  };
  const row = transactions.performCardPresent(account, sale, {
    opened: openCard(asked.card),
    partlyMinor: options.partlyMinor,
  });
  return { content: contentOf(bound, row), row };
}

function openCard(card: SaleMessage['card']): { pan: string } | Refusal {
  const block = openCardBlock(card.encryptedBlock, card.keySerialNumber);
  if (!block) return { code: codes.malformed, message: 'The card data could not be read' };
  if (block.track !== card.entryMode) {
    return { code: codes.mismatch, message: 'The card data and its entry mode disagree' };
  }
  return block;
}

/** The reply's authentication code also covers the request. */
export function signCardPresentReply(secret: string, requestSignature: string, body: string): string {
  return hmac(secret, `${requestSignature}.${body}`);
}

function contentOf(bound: Record<string, unknown> & { amountMinor: number; currency: string }, row: TransactionRow) {
  // Echo what was recorded, so that a reference reused for another amount is visible.
  const recorded = {
    ...bound,
    amountMinor: row.amountMinor,
    currency: currencyNumber(bound.currency) === row.currencyCode ? bound.currency : row.currencyCode,
  };
  if (row.state === 'received') return { ...recorded, outcome: 'inProgress' };
  const isPart = row.responseCode === codes.partlyApproved;
  if ((row.responseCode === codes.success || isPart) && row.state !== 'canceled' && row.state !== 'rejected') {
    return {
      ...recorded,
      outcome: 'approved',
      gatewayReference: row.xref,
      authorisationCode: row.authorisationCode ?? '',
      message: row.responseMessage,
      ...(isPart ? { approvedMinor: row.approvedMinor } : {}),
      card: { scheme: row.cardScheme ?? '', lastFour: (row.cardMask ?? '').slice(-4) },
    };
  }
  return {
    ...recorded,
    outcome: 'declined',
    code: row.responseCode === codes.success || isPart ? row.state : String(row.responseCode),
    message: row.responseMessage,
    gatewayReference: row.xref,
  };
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

function isSame(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

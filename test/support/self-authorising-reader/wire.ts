import { crc32 } from 'node:zlib';
import { cardSchemeOf } from '@florin/shared/card-schemes.ts';
import { z } from 'zod';

/**
 * A minimal protocol of a reader that authorises with its own processor: the till sends a request and the reader one response.
 * Each is a line of a number that pairs them, JSON and a checksum. Every request can be repeated.
 */
const transactionId = z.string().regex(/^[\w.-]{1,64}$/);
const money = { amountMinor: z.int().positive(), currency: z.string().length(3) };
export const question = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('state'), nonce: z.string() }),
  z.object({ ask: z.literal('sale'), id: transactionId, ...money, timeoutMs: z.int() }),
  z.object({ ask: z.literal('void'), id: transactionId, sale: z.string() }),
  z.object({ ask: z.literal('refund'), id: transactionId, sale: z.string(), ...money }),
  z.object({ ask: z.literal('last'), id: transactionId }),
  z.object({ ask: z.literal('cancel'), id: transactionId }),
  z.object({ ask: z.literal('confirm'), id: transactionId }),
]);
export type Question = z.infer<typeof question>;

const card = z.object({
  encryptedBlock: z.literal(''),
  keySerialNumber: z.literal(''),
  entryMode: z.enum(['chip', 'contactless']),
  scheme: z.string().transform(cardSchemeOf),
  lastFour: z.string().length(4),
});
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved'), card, authorisationCode: z.string(), processorReference: z.string() }),
  z.object({ kind: z.literal('declined'), by: z.enum(['host', 'reader']), code: z.string() }),
  z.object({ kind: z.literal('cancelled'), by: z.enum(['customer', 'staff']) }),
  z.object({ kind: z.literal('timed_out') }),
  z.object({ kind: z.literal('not_available'), reason: z.string() }),
]);
export type FinalOutcome = z.input<typeof outcome>;

export const stateAnswer = z.object({
  nonce: z.string(),
  serial: z.string(),
  firmware: z.string(),
  boot: z.string(),
  card: z.boolean(),
  unconfirmed: z.string().optional(),
});
/** The response to `sale`, `void` and `refund`: begun (or known already), refused, or blocked by another transaction. */
export const beginAnswer = z.object({ refused: z.string().optional(), blocking: z.string().optional() });
export const lastAnswer = z.discriminatedUnion('is', [
  z.object({ is: z.literal('unknown') }),
  z.object({ is: z.literal('active'), stage: z.enum(['present_card', 'card_inserted', 'card_tapped', 'authorising']) }),
  z.object({ is: z.literal('done'), outcome }),
]);
export type LastAnswer = z.input<typeof lastAnswer>;

export function encode(number: number, content: unknown): string {
  const text = `${number} ${JSON.stringify(content)}`;
  return `${text} ${checksum(text)}`;
}

/** Returns undefined if the text is not a line of this protocol. */
export function decode(line: string): { readonly number: number; readonly content: unknown } | undefined {
  const parts = /^((\d{1,9}) (\{.*\})) ([0-9a-f]{8})$/.exec(line.trimEnd());
  const [, text = '', number, json = '', sum] = parts ?? [];
  if (sum !== checksum(text)) return undefined;
  return { number: Number(number), content: JSON.parse(json) };
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');

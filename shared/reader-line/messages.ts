import { z } from 'zod';
import { err, ok, type Result } from '../result.ts';
import type { Fields, Frame } from './frame.ts';

/**
 * The fields of each verb, event and result, as strings on the wire and as parsed values. Unknown keys are ignored, so
 * that either side may send more than the other supports.
 */

export const protocolVersion = 1;

/** An id as it goes on the wire: see `toWireTransactionId`. */
const transaction = z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/);
const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number);
const amount = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);
/** Up to three numbers, comma-separated. */
const upToThree = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}(,\\d{1,${digits}}){0,2}$`))
    .transform(text => text.split(',').map(Number));
const flag = z.enum(['0', '1']).transform(value => value === '1');
const hex = z.string().regex(/^[0-9A-Fa-f]{1,32}$/);
/** RID and PIX separated by a dot: without it the zeros of most RIDs form a run of 13 digits. */
const applicationId = z.string().regex(/^[0-9A-F]{10}(\.[0-9A-F]{1,22})?$/);
const short = z.string().max(64);
const word = z.string().regex(/^[A-Z0-9_]{1,40}$/);

/** Largest amount a line can carry: 12 digits of the smallest unit. */
export const maxWireAmountMinor = 999_999_999_999;

export const stages = ['present', 'tap', 'inserted', 'swiped', 'app', 'pin', 'pin_retry', 'online', 'remove'] as const;
export type Stage = (typeof stages)[number];
const stage = z.enum(stages);

const entry = z.enum(['chip', 'contactless', 'swipe']);
const verification = z.enum(['pin', 'signature', 'device', 'none']);
/** Four asterisks and the last four digits: the only part of a card number that leaves the reader unencrypted. */
const maskedPan = z.string().regex(/^\*{4}\d{4}$/);

const outcomes = ['approved', 'declined', 'referral', 'cancelled', 'timeout', 'error'] as const;

/** The facts of a finished transaction, in a result and in the answer to LAST. */
const resultFields = {
  outcome: z.enum(outcomes),
  /** Who declined or stopped: bank, card, reader, customer (red key, card removed) or host. */
  by: z.enum(['host', 'card', 'reader', 'customer', 'staff']).optional(),
  code: word.optional(),
  hostcode: short.optional(),
  auth: short.optional(),
  ref: short.optional(),
  brand: short.optional(),
  pan: maskedPan.optional(),
  aid: applicationId.optional(),
  tvr: hex.optional(),
  cvm: verification.optional(),
  entry: entry.optional(),
  ksn: hex.optional(),
  amt: amount.optional(),
  cur: z
    .string()
    .regex(/^\d{3}$/)
    .optional(),
  time: short.optional(),
};

/** Requests of the host (Q), by verb. */
export const requests = {
  HELLO: z.object({ proto: z.string().regex(/^\d{1,3}-\d{1,3}$/), host: short, nonce: hex }),
  CAPS: z.object({}),
  STATE: z.object({}),
  PING: z.object({}),
  DISPLAY: z.object({ text: z.string().max(120) }),
  PAY: z.object({
    txn: transaction,
    amt: amount,
    cur: z.string().regex(/^\d{3}$/),
    exp: z
      .string()
      .regex(/^[0-4]$/)
      .transform(Number),
    tmo: count,
  }),
  /** Asks the customer for a tip before PAY; `txn` is that of no transaction yet. */
  TIP: z.object({
    txn: transaction,
    amt: amount,
    cur: z.string().regex(/^\d{3}$/),
    exp: z
      .string()
      .regex(/^[0-4]$/)
      .transform(Number),
    tips: upToThree(12),
    pct: upToThree(3),
    tmo: count,
  }),
  AUTH: z.object({
    txn: transaction,
    ksn: hex,
    outcome: z.enum(['approved', 'declined', 'unknown']),
    auth: short.optional(),
    code: short.optional(),
  }),
  CANCEL: z.object({ txn: transaction }),
  LAST: z.object({ txn: transaction }),
  REVERSE: z.object({ txn: transaction }),
  REBOOT: z.object({}),
} as const;
export type RequestVerb = keyof typeof requests;
export type Request = {
  readonly [Verb in RequestVerb]: { readonly verb: Verb } & z.output<(typeof requests)[Verb]>;
}[RequestVerb];

/** Answers of the reader (A), by the verb they answer. */
export const answers = {
  HELLO: z.object({
    proto: count,
    nonce: hex,
    boot: hex,
    serial: short,
    model: short.optional(),
    fw: short,
    caps: z.string(),
    bat: count.optional(),
    tamper: flag,
    card: flag.optional(),
    last: transaction.optional(),
    unconf: transaction.optional(),
  }),
  CAPS: z.object({ caps: z.string() }),
  STATE: z.object({
    state: z.enum(['idle', 'busy']),
    boot: hex,
    ev: count,
    bat: count.optional(),
    tamper: flag.optional(),
    card: flag.optional(),
    txn: transaction.optional(),
    stage: stage.optional(),
    unconf: transaction.optional(),
  }),
  PAY: z.object({ txn: transaction }),
  TIP: z.object({ txn: transaction }),
  AUTH: z.object({ txn: transaction }),
  CANCEL: z.object({ txn: transaction }),
  REVERSE: z.object({ txn: transaction }),
  LAST: z.object({
    txn: transaction,
    state: z.enum(['unknown', 'active', 'done', 'reversed']),
    stage: stage.optional(),
    ...resultFields,
    outcome: resultFields.outcome.optional(),
  }),
  RESULT: z.object({ txn: transaction }),
} as const;
export type AnswerVerb = keyof typeof answers;
export type Answer<Verb extends AnswerVerb> = z.output<(typeof answers)[Verb]>;

/** A PING is answered with the fields of STATE. */
export const pingAnswer = answers.STATE;

export const refusalCodes = [
  'PROTO',
  'UNSUPPORTED',
  'BAD_FIELDS',
  'SEQ',
  'BUSY',
  'PENDING',
  'TXN_MISMATCH',
  'NO_TXN',
  'TAMPER',
  'BATTERY',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** Any request may be answered with `A seq ERR code=…`. */
export const refusal = z.object({ code: z.string().max(40), txn: transaction.optional() });

export const result = z.object({ txn: transaction, ...resultFields });
export type TransactionResult = z.output<typeof result>;

/** Events of the reader (E), by verb. */
export const events = {
  STAGE: z.object({ txn: transaction, stage, left: count.optional(), entry: entry.optional() }),
  ONLINE: z.object({
    txn: transaction,
    ksn: hex,
    block: z.string().regex(/^[A-Za-z0-9+/=]{1,4000}$/),
    part: z.string().regex(/^[1-9]\/[1-9]$/),
    entry,
    brand: short,
    pan: maskedPan,
    aid: applicationId.optional(),
    cvm: verification.optional(),
  }),
  BATTERY: z.object({ bat: count }),
  CARD: z.object({ card: flag }),
  TAMPER: z.object({ tamper: flag }),
  KEY: z.object({ txn: transaction, digits: count }),
  TIPPED: z.object({ txn: transaction, tip: amount }),
  BOOT: z.object({ boot: hex }),
} as const;
export type EventVerb = keyof typeof events;
export type ReaderEvent = {
  readonly [Verb in EventVerb]: { readonly verb: Verb } & z.output<(typeof events)[Verb]>;
}[EventVerb];
export type OnlineEvent = Extract<ReaderEvent, { verb: 'ONLINE' }>;

/** The host's confirmation (C) that a result is stored durably. */
export const confirmation = z.object({ txn: transaction });

export type MessageRefusal =
  | { readonly kind: 'unknown_verb'; readonly verb: string }
  /** Contains the key only, never the value. */
  | { readonly kind: 'bad_fields'; readonly key: string };

/** Parses a host's request. Keys that the verb does not have are dropped. */
export function parseRequest(frame: Frame): Result<Request, MessageRefusal> {
  return parseByVerb<Request>(requests, frame);
}

/** Parses a reader's event. One with an unmasked PAN is refused. */
export function parseEvent(frame: Frame): Result<ReaderEvent, MessageRefusal> {
  return parseByVerb<ReaderEvent>(events, frame);
}

/** Keys that the schema does not have are dropped. A refusal names the first wrong key. */
export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Fields,
): Result<z.output<Schema>, MessageRefusal> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return ok(parsed.data);
  return err({ kind: 'bad_fields', key: String(parsed.error.issues[0]?.path[0] ?? '') });
}

function parseByVerb<Message>(
  schemas: Readonly<Record<string, z.ZodType>>,
  frame: Frame,
): Result<Message, MessageRefusal> {
  const schema = Object.hasOwn(schemas, frame.verb) ? schemas[frame.verb] : undefined;
  if (schema === undefined) return err({ kind: 'unknown_verb', verb: frame.verb });
  const parsed = parseFields(schema, frame.fields);
  if (!parsed.ok) return parsed;
  return ok({ verb: frame.verb, ...(parsed.value as object) } as Message);
}

/** The longest run of digits in an id on the wire: no field may look like a card number. */
const maxDigitRun = 8;

/**
 * Encodes an id for the wire: a dot after every eight consecutive digits, so that no id looks like a card number.
 * Undefined for an id that cannot be encoded.
 */
export function toWireTransactionId(transactionId: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(transactionId)) return undefined;
  return transactionId.replace(new RegExp(`\\d{${maxDigitRun}}(?=\\d)`, 'g'), '$&.');
}

/** Decodes an id from the wire. */
export function fromWireTransactionId(wireId: string): string {
  return wireId.replaceAll('.', '');
}

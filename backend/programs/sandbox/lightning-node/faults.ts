import { z } from 'zod';

/** The calls a fault can apply to. */
export const calls = [
  'GET_INFO',
  'ADD_INVOICE',
  'LOOKUP_INVOICE',
  'LIST_INVOICES',
  'CANCEL_INVOICE',
  'SUBSCRIBE_INVOICES',
  'NEW_ADDRESS',
  'TRANSACTIONS',
  'BALANCE',
  'SEND_PAYMENT',
  'TRACK_PAYMENT',
  'LIST_PAYMENTS',
  'SEND_COINS',
  'BACKUP',
] as const;
export type Call = (typeof calls)[number];

const common = { call: z.enum(calls).optional(), times: z.int().min(1).default(1) };
const applied = z.boolean().default(false);

/** A fault for the next requests: it applies to `times` requests, of any call unless one is named. */
export const fault = z.discriminatedUnion('kind', [
  /** Carried out, then the connection drops before the reply. */
  z.strictObject({ kind: z.literal('loseReply'), ...common }),
  /** The connection drops before anything is carried out. */
  z.strictObject({ kind: z.literal('dropRequest'), ...common }),
  /** Carried out at once, replied to late. */
  z.strictObject({ kind: z.literal('delay'), delayMs: z.int().min(0).max(3_600_000), ...common }),
  /** Delayed before processing: carried out and replied to after `delayMs`. */
  z.strictObject({ kind: z.literal('holdUp'), delayMs: z.int().min(0).max(3_600_000), ...common }),
  /** The connection drops at once; the request is carried out after `delayMs`. */
  z.strictObject({ kind: z.literal('applyLate'), delayMs: z.int().min(0).max(3_600_000), ...common }),
  /** Never replied to. */
  z.strictObject({ kind: z.literal('hang'), applied, ...common }),
  /** Another HTTP status, by default without carrying anything out. */
  z.strictObject({
    kind: z.literal('serverError'),
    status: z.int().min(500).max(599).default(503),
    applied,
    ...common,
  }),
  /** Carried out; status 200 with a body that is not a reply. */
  z.strictObject({
    kind: z.literal('garbage'),
    body: z.string().max(10_000).default('<html>Bad gateway</html>'),
    ...common,
  }),
  /** Carried out; the reply has other values in these fields. */
  z.strictObject({ kind: z.literal('wrongFields'), fields: z.record(z.string(), z.unknown()), ...common }),
  /** Refused as if the wallet were locked. */
  z.strictObject({ kind: z.literal('walletLocked'), ...common }),
  /** A settlement that the invoice stream omits. */
  z.strictObject({ kind: z.literal('loseEvent'), call: z.literal('SUBSCRIBE_INVOICES'), times: common.times }),
  /** A settlement that the invoice stream reports twice. */
  z.strictObject({ kind: z.literal('repeatEvent'), call: z.literal('SUBSCRIBE_INVOICES'), times: common.times }),
]);
export type Fault = z.infer<typeof fault>;
export type FaultInput = z.input<typeof fault>;

const ofEvents = ['loseEvent', 'repeatEvent'];

/** The armed faults, in memory. Faults of events apply to the invoice stream only, all others to requests only. */
export function faultQueue() {
  let queued: Fault[] = [];
  function take(isMet: (fault: Fault) => boolean): Fault | undefined {
    const next = queued.find(isMet);
    if (!next) return undefined;
    next.times -= 1;
    queued = queued.filter(one => one.times > 0);
    return next;
  }
  return {
    add(next: FaultInput): void {
      queued.push(fault.parse(next));
    },
    /** The fault for this request, if any; each use counts down. */
    take: (call: Call) => take(one => !ofEvents.includes(one.kind) && (one.call === undefined || one.call === call)),
    /** The fault for the next event of the invoice stream. */
    takeOfEvent: () => take(one => ofEvents.includes(one.kind)),
    list: (): readonly Fault[] => queued,
    clear(): void {
      queued = [];
    },
  };
}
export type FaultQueue = ReturnType<typeof faultQueue>;

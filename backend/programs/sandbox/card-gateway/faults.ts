import { z } from 'zod';

/** A fault for the next requests: it applies to `times` requests, of any action unless one is named. */
const common = {
  /** `SALE`, `CANCEL`, `REFUND_SALE`, `REFUND`, `QUERY`, `CAPTURE`, `3DS`, `CARD_PRESENT`, `CARD_PRESENT_LOOKUP`, `REPORT`. */
  action: z.string().optional(),
  times: z.int().min(1).default(1),
  /** Whether the gateway still posts the outcome to the callback URL. */
  callback: z.boolean().default(true),
};
const delayMs = z.int().min(0).max(3_600_000);

export const fault = z.discriminatedUnion('kind', [
  /** Carried out, then the connection drops before the reply. */
  z.strictObject({ kind: z.literal('loseReply'), ...common }),
  /** The connection drops before anything is carried out. */
  z.strictObject({ kind: z.literal('dropRequest'), ...common }),
  /** Carried out at once, replied to late. */
  z.strictObject({ kind: z.literal('delay'), delayMs, ...common }),
  /** Never replied to. */
  z.strictObject({ kind: z.literal('hang'), applied: z.boolean().default(false), ...common }),
  /** Status 503, by default without carrying anything out. */
  z.strictObject({ kind: z.literal('unavailable'), applied: z.boolean().default(false), ...common }),
  z.strictObject({ kind: z.literal('badSignature'), ...common }),
  /** Only some of the reply's fields are signed. */
  z.strictObject({ kind: z.literal('partialSignature'), ...common }),
  z.strictObject({ kind: z.literal('unsigned'), ...common }),
  /** The connection drops at once; the request is carried out after `delayMs`. */
  z.strictObject({ kind: z.literal('applyLate'), delayMs, ...common }),
  /** The correctly signed reply has other values in these fields; the report has them in every row. */
  z.strictObject({ kind: z.literal('wrongEcho'), fields: z.record(z.string(), z.string()), ...common }),
  /** The correctly signed reply lacks one field. */
  z.strictObject({ kind: z.literal('missingEcho'), field: z.string(), ...common }),
  /** Not carried out; the reply has this response code. */
  z.strictObject({ kind: z.literal('decline'), code: z.int().min(1).default(5), ...common }),
  /** Status 200 with a body that is not a reply. */
  z.strictObject({
    kind: z.literal('garbage'),
    applied: z.boolean().default(true),
    body: z.string().max(10_000).default('<html>Fatal error</html>'),
    ...common,
  }),
  /** Carried out; the genuine reply has another HTTP status. */
  z.strictObject({ kind: z.literal('wrongStatus'), status: z.int().min(201).max(599).default(500), ...common }),
  /** Carried out, and the connection drops in the middle of the reply. */
  z.strictObject({ kind: z.literal('cutReply'), ...common }),
  /** Carried out as a partial approval of this amount (sales only). */
  z.strictObject({
    kind: z.literal('approvePartly'),
    amountMinor: z.int().min(1),
    /** Then the connection drops before the reply. */
    loseReply: z.boolean().default(false),
    ...common,
  }),
]);
export type Fault = z.infer<typeof fault>;
export type FaultInput = z.input<typeof fault>;

/** The armed faults, in memory. A request takes the oldest that applies to its action; each is used `times` times. */
export function faultQueue() {
  let queued: Fault[] = [];
  return {
    add(next: FaultInput): void {
      queued.push(fault.parse(next));
    },
    /** The fault for this request, if any; each use counts down. */
    take(action: string): Fault | undefined {
      const next = queued.find(one => one.action === undefined || one.action === action);
      if (!next) return undefined;
      next.times -= 1;
      queued = queued.filter(one => one.times > 0);
      return next;
    },
    list: (): readonly Fault[] => queued,
    clear(): void {
      queued = [];
    },
  };
}
export type FaultQueue = ReturnType<typeof faultQueue>;

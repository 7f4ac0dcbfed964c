import { z } from 'zod';
import type { NodeReply } from '../connection.ts';
import type { Answer, NotSent, Unknown } from '../node.ts';

/** phoenixd's JSON: fields ending in `Sat` are satoshis, `fees` millisatoshis, `…At` milliseconds. */
const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.int().min(0);

export const infoReply = z.object({
  nodeId: z.string(),
  chain: z.string().optional(),
  version: z.string().optional(),
  blockHeight: whole.nullish(),
  channels: z.array(z.object({ state: z.string() })),
});
export const balanceReply = z.object({ balanceSat: whole });
export const createdReply = z.object({ paymentHash: hex32, serialized: z.string() });
export const incoming = z.object({
  paymentHash: hex32,
  preimage: hex32,
  invoice: z.string().nullish(),
  isPaid: z.boolean(),
  isExpired: z.boolean().nullish(),
  receivedSat: whole,
  fees: whole,
  completedAt: whole.nullish(),
});
export type Incoming = z.infer<typeof incoming>;
export const outgoing = z.object({
  paymentHash: hex32.nullish(),
  preimage: hex32.nullish(),
  isPaid: z.boolean(),
  fees: whole,
  completedAt: whole.nullish(),
});
export const listedOutgoing = z.object({ ...outgoing.shape, sent: whole, createdAt: whole });
export type Outgoing = z.infer<typeof outgoing>;
/** `reason` if it failed. */
export const paidReply = z.union([
  z.object({ paymentHash: hex32, paymentPreimage: hex32, routingFeeSat: whole }),
  z.object({ paymentHash: hex32, reason: z.string() }),
]);

/** A reply parsed by its schema; any status but 200, or a body of another form, is inconclusive. */
export function readReply<Value>(schema: z.ZodType<Value>, reply: NodeReply): Answer<Value> {
  if (reply.status !== 200) return unknownFrom(reply);
  const parsed = schema.safeParse(parsedJson(reply.body));
  return parsed.success ? { kind: 'answered', value: parsed.data } : { kind: 'unknown', cause: 'malformed' };
}

function unknownFrom({ status }: NodeReply): Unknown {
  if (status === 401 || status === 403) return { kind: 'unknown', cause: 'permission_denied' };
  return { kind: 'unknown', cause: status >= 500 ? 'node_error' : 'malformed' };
}

/** For a query the reason for a missing response makes no difference. */
export function asUnknown(problem: Unknown | NotSent): Unknown {
  return { ...problem, kind: 'unknown' };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

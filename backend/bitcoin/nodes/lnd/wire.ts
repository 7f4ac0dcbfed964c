import { z } from 'zod';
import type { NodeReply } from '../connection.ts';
import type { Answer, Unknown } from '../node.ts';

/**
 * LND's JSON. 64-bit integers are strings, bytes are base64 (except payment hashes and preimages, which are
 * hexadecimal), and unset fields are omitted.
 */

/** A 64-bit integer within JavaScript's exact range; otherwise the reply is malformed. */
const int64 = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);
const bytes32 = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .transform(text => Buffer.from(text, 'base64').toString('hex'));
const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

export const infoReply = z.object({
  identity_pubkey: z.string(),
  alias: z.string(),
  version: z.string(),
  block_height: z.int(),
  synced_to_chain: z.boolean(),
  num_active_channels: z.int(),
  chains: z.array(z.object({ network: z.string() })).min(1),
});

export const headerReply = z.object({ block_height: z.int(), best_header_timestamp: int64 });

export const addedInvoice = z.object({ r_hash: bytes32, payment_request: z.string() });

export const invoice = z.object({
  r_hash: bytes32,
  r_preimage: z.union([bytes32, z.literal('')]),
  payment_request: z.string(),
  state: z.enum(['OPEN', 'SETTLED', 'CANCELED', 'ACCEPTED']),
  settle_index: int64,
  settle_date: int64,
  amt_paid_msat: int64,
});
export type WireInvoice = z.infer<typeof invoice>;

export const invoicesPage = z.object({
  invoices: z.array(z.object({ ...invoice.shape, creation_date: int64, is_keysend: z.boolean(), is_amp: z.boolean() })),
  first_index_offset: int64,
});

export const address = z.object({ address: z.string().min(1) });

export const transactions = z.object({
  transactions: z.array(
    z.object({
      tx_hash: hex32,
      num_confirmations: z.int().min(0),
      total_fees: int64,
      label: z.string(),
      output_details: z.array(z.object({ address: z.string(), output_index: int64, amount: int64 })),
    }),
  ),
});

/** `amount` is what the wallet gained: negative if it sent. */
export const walletHistory = z.object({
  transactions: z.array(
    z.object({
      tx_hash: hex32,
      amount: int64,
      time_stamp: int64,
      label: z.string(),
      output_details: z.array(
        z.object({ address: z.string(), output_index: int64, amount: int64, is_our_address: z.boolean() }),
      ),
    }),
  ),
});

export const blockchainBalance = z.object({ confirmed_balance: int64, unconfirmed_balance: int64 });
export const channelBalance = z.object({
  local_balance: z.object({ sat: int64 }),
  remote_balance: z.object({ sat: int64 }),
});

export const payment = z.object({
  payment_hash: hex32,
  payment_preimage: z.union([hex32, z.literal('')]),
  status: z.enum(['UNKNOWN', 'INITIATED', 'IN_FLIGHT', 'SUCCEEDED', 'FAILED']),
  fee_msat: int64,
  failure_reason: z.string(),
});
export type WirePayment = z.infer<typeof payment>;

/** Nanoseconds are beyond the exact range of a double. */
const milliseconds = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(nanoseconds => Number(BigInt(nanoseconds) / 1_000_000n));
export const paymentsPage = z.object({
  payments: z.array(z.object({ ...payment.shape, value_sat: int64, creation_time_ns: milliseconds })),
  first_index_offset: int64,
});

export const sentCoins = z.object({ txid: hex32 });

export const backup = z.object({
  multi_chan_backup: z.object({ chan_points: z.array(z.unknown()), multi_chan_backup: z.base64().min(1) }),
});

/** One line of a streaming response: a result of this schema, or an error of LND. */
export const streamed = <Result>(result: z.ZodType<Result>) =>
  z.union([z.object({ result }), z.object({ error: z.object({ code: z.int(), message: z.string() }) })]);

const errorReply = z.object({ code: z.int(), message: z.string() });
const streamError = z.object({ error: errorReply });

/** An error of LND: a gRPC code and a message. */
export type WireError = { readonly code: number; readonly message: string };

/** The error in a reply; undefined if it is not one of LND's. */
export function errorOf(reply: NodeReply): WireError | undefined {
  const body = parsedJson(reply.body);
  const direct = errorReply.safeParse(body);
  if (direct.success) return direct.data;
  const nested = streamError.safeParse(body);
  return nested.success ? nested.data.error : undefined;
}

/** A reply parsed by its schema. */
export function readReply<Value>(schema: z.ZodType<Value>, reply: NodeReply): Answer<Value> {
  if (reply.status !== 200) return unknownFrom(reply);
  const parsed = schema.safeParse(parsedJson(reply.body));
  return parsed.success ? { kind: 'answered', value: parsed.data } : { kind: 'unknown', cause: 'malformed' };
}

const notReady = /wallet locked|waiting to start|starting up|wallet not created|server is in the process/i;
const refused = /permission denied|verification failed|macaroon|cannot get macaroon/i;

/** The meaning of an error for a query: unanswered. */
export function unknownFrom(reply: NodeReply): Unknown {
  const error = errorOf(reply);
  if (!error) return { kind: 'unknown', cause: reply.status < 500 ? 'malformed' : 'node_error' };
  const message = error.message.slice(0, 200);
  if (notReady.test(message)) return { kind: 'unknown', cause: 'not_ready', message };
  if (refused.test(message)) return { kind: 'unknown', cause: 'permission_denied', message };
  return { kind: 'unknown', cause: 'node_error', message };
}

/** Undefined if the text is not JSON, as in the error page of a proxy. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from 'zod';
import { amountSats } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { machineWord } from '../text.ts';
import { evidence } from './evidence.ts';

export const withdrawalStatus = z.enum(['pending', 'completed', 'failed', 'unknown']).meta({
  description:
    '`pending`: the node has accepted it; `unknown`: the node reported no outcome and is polled. Neither is ever sent again. `completed` and `failed` are final',
});

export const withdrawalRecord = z
  .object({
    id: id('wd'),
    network: z.enum(['lightning', 'onchain']),
    destination: z.string().meta({ description: 'The Lightning invoice or address to pay' }),
    amountSats: z.int().meta({ description: 'Satoshis' }),
    maxFeeSats: z.int().nullable().meta({ description: 'The maximum routing fee; null on chain' }),
    feeSats: z.int().nullable().meta({
      description: 'The fee in whole satoshis; Lightning fees are rounded up. Null until known',
    }),
    status: withdrawalStatus,
    failureReason: z.string().nullable().meta({ description: 'A stable code for the failure', example: 'no_route' }),
    txId: z.string().nullable().meta({ description: 'The payment hash, or the transaction once there is one' }),
    preimage: z.string().nullable().meta({ description: 'The proof of a Lightning payment' }),
    createdAt: timestamp,
    missingSince: timestamp.nullable().meta({
      description: 'Since when the node no longer lists its transaction (replaced or dropped); resolve it on evidence',
    }),
    finalAt: timestamp.nullable(),
  })
  .meta({ id: 'Withdrawal' });
export type WithdrawalRecord = z.infer<typeof withdrawalRecord>;

const common = {
  authentication: ['apiKey'],
  permissions: ['withdraw:write'],
  tag: 'Withdrawals',
  origin: 'project',
} as const;

export const createWithdrawal = contract({
  ...common,
  name: 'createWithdrawal',
  method: 'POST',
  path: '/api/v1/withdrawals',
  stepUp: true,
  summary: 'Withdraw funds over Lightning or on chain',
  description:
    '201 if the outcome is final, otherwise 202: read the withdrawal again, and do not request another one. A Lightning invoice is paid at most once: after a failure a new one is needed.',
  body: z
    .object({
      invoice: machineWord(4_000)
        .optional()
        .meta({ description: 'A BOLT11 invoice over whole satoshis', example: 'lnbc250n1p5kqsz8pp5qqqsyq' }),
      maxFeeSats: z
        .int()
        .min(0)
        .max(10_000_000)
        .optional()
        .meta({ description: 'The maximum routing fee; default: one percent, at least ten satoshis' }),
      address: machineWord(100)
        .optional()
        .meta({ description: 'A bitcoin address', example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }),
      amountSats: amountSats.optional().meta({ description: 'With an address: how much, in satoshis' }),
      satsPerVbyte: z.int().min(1).max(5_000).optional().meta({ description: 'With an address: the fee rate' }),
    })
    .refine(body => (body.invoice === undefined) !== (body.address === undefined), {
      error: 'must name an invoice or an address, and not both',
    })
    .refine(body => body.address === undefined || body.amountSats !== undefined, {
      path: ['amountSats'],
      error: 'is required with an address',
    }),
  responses: { 201: json(withdrawalRecord), 202: json(withdrawalRecord) },
  errors: {
    400: ['invoice_invalid', 'invoice_without_amount', 'address_invalid', 'other_network'],
    404: ['bitcoin_backend_not_set'],
    409: ['withdrawal_not_supported', 'insufficient_balance', 'invoice_expired', 'invoice_already_used'],
    503: ['node_unavailable'],
  },
  idempotent: true,
});

export const listWithdrawals = contract({
  ...common,
  name: 'listWithdrawals',
  method: 'GET',
  path: '/api/v1/withdrawals',
  summary: 'List withdrawals, newest first',
  query: pageQuery('withdrawals'),
  responses: { 200: json(listOf(withdrawalRecord)) },
});

export const getWithdrawal = contract({
  ...common,
  name: 'getWithdrawal',
  method: 'GET',
  path: '/api/v1/withdrawals/{id}',
  summary: 'Read one withdrawal',
  params: z.object({ id: id('wd') }),
  responses: { 200: json(withdrawalRecord) },
  errors: { 404: ['withdrawal_not_found'] },
});

export const resolveWithdrawal = contract({
  ...common,
  name: 'resolveWithdrawal',
  method: 'POST',
  path: '/api/v1/withdrawals/{id}/resolve',
  stepUp: true,
  summary: 'Resolve a withdrawal whose transaction the node no longer lists',
  description:
    'Once `missingSince` is ten minutes ago. `completed` names the transaction that is in the chain instead; `failed` states that none is and none will be: check which transaction spent the same coins. The service never sends it again and keeps the evidence in the audit log.',
  params: z.object({ id: id('wd') }),
  body: z
    .object({
      outcome: z.enum(['completed', 'failed']),
      txId: z
        .string()
        .regex(/^[0-9a-f]{64}$/, { error: 'must be a transaction id: 64 lower-case hexadecimal digits' })
        .nullable()
        .default(null)
        .meta({ description: 'The transaction that paid it', example: 'ab'.repeat(32) }),
      evidence,
    })
    .refine(body => body.outcome === 'failed' || body.txId !== null, {
      path: ['txId'],
      error: 'is required for a completed withdrawal',
    }),
  responses: { 200: json(withdrawalRecord) },
  errors: { 404: ['withdrawal_not_found'], 409: ['withdrawal_final', 'still_asking'] },
  idempotent: true,
});

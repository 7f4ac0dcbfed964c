import { z } from 'zod';
import { contract, id } from './contract.ts';
import { json } from './responses.ts';
import { machineWord } from './text.ts';

/** Why money cannot be returned to where a customer wants it. */
export const claimRefusals = [
  'destination_invalid',
  'other_network',
  'invoice_expired',
  'invoice_amount_differs',
] as const;
export type ClaimRefusal = (typeof claimRefusals)[number];

/** What customers see of what they are owed: whoever has the address of a claim may say where it is to go. */
const owed = z.object({
  businessName: z.string(),
  reason: z.enum(['underpaid', 'overpaid', 'late']),
  amountSats: z.int(),
  returnedSats: z.int(),
  refundedSats: z.int().meta({ description: 'Settled by refunds of the payments' }),
  status: z.enum(['open', 'requested', 'returned']),
});
const common = { authentication: ['none'], tag: 'Bitcoin claims', origin: 'project' } as const;
const params = z.object({ id: id('clm') });

export const getOwedClaim = contract({
  ...common,
  name: 'getOwedClaim',
  method: 'GET',
  path: '/claims/{id}',
  summary: 'Read what is owed to a customer',
  params,
  responses: { 200: json(owed) },
  errors: { 404: ['claim_not_found'] },
});

export const requestReturn = contract({
  ...common,
  name: 'requestReturn',
  method: 'POST',
  path: '/claims/{id}/destination',
  summary: 'Say where to return what was paid late, in part or in excess',
  description: 'Once: the merchant returns it there. Nothing is sent by this call.',
  params,
  body: z.object({
    destination: machineWord(2000).meta({
      description: 'A bitcoin address, a Lightning invoice or a Lightning address',
      example: 'customer@wallet.example',
    }),
  }),
  responses: { 200: json(owed) },
  errors: { 400: claimRefusals, 404: ['claim_not_found'], 409: ['nothing_to_claim'] },
});

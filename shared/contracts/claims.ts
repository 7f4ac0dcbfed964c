import { z } from 'zod';
import { contract, id } from './contract.ts';
import { json } from './responses.ts';
import { machineWord } from './text.ts';

/**
 * How far the return of money is that arrived late, in part or in excess. `requested`: the customer said where to.
 * `disputed`: different destinations were given. `returned`: nothing is left to return.
 */
export const claimStatuses = ['open', 'requested', 'disputed', 'returned'] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

/** Why money cannot be returned to where a customer wants it. */
export const destinationRefusals = [
  'destination_invalid',
  'other_network',
  'invoice_expired',
  'invoice_amount_differs',
] as const;

/** Why a destination that a customer gave is not taken. */
export const claimRefusals = [...destinationRefusals, 'too_many_destinations'] as const;
export type ClaimRefusal = (typeof claimRefusals)[number];

/** Where a customer wants money returned to. */
export const claimDestination = machineWord(2000).meta({
  description: 'A bitcoin address, a Lightning invoice or a Lightning address',
  example: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
});

export const howDestinationsAreTaken =
  'The merchant returns it there; nothing is sent by this call. Giving the same destination again changes nothing; a different one is kept beside the first, and the merchant finds out whose the money is before returning it. Five are kept at most.';

/** What customers see of what they are owed: whoever has the address of a claim may say where it is to go. */
const owed = z.object({
  businessName: z.string(),
  reason: z.enum(['underpaid', 'overpaid', 'late']),
  amountSats: z.int(),
  returnedSats: z.int(),
  refundedSats: z.int().meta({ description: 'Settled by refunds of the payments' }),
  status: z.enum(claimStatuses),
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
  description: howDestinationsAreTaken,
  params,
  body: z.object({ destination: claimDestination }),
  responses: { 200: json(owed) },
  errors: { 400: destinationRefusals, 404: ['claim_not_found'], 409: ['nothing_to_claim', 'too_many_destinations'] },
});

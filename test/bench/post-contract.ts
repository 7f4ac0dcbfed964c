import { respond, route } from '@florin/backend/foundation/http/route.ts';
import { contract } from '@florin/shared/contracts/contract.ts';
import { json } from '@florin/shared/contracts/responses.ts';
import { z } from 'zod';

/** A body like that of most operations: 200 bytes of text, numbers and a nested object. */
export const postBody = z.object({
  kind: z.enum(['CANCEL', 'REFUND_SALE', 'REFUND']),
  amountInCents: z.int().min(1).max(99_999_999),
  reference: z.string().min(1).max(64),
  customer: z.object({ name: z.string().max(100), email: z.email() }),
  lines: z.array(z.object({ sku: z.string().max(32), quantity: z.int().min(1) })).max(20),
});

export const examplePost = JSON.stringify({
  kind: 'REFUND_SALE',
  amountInCents: 1250,
  reference: 'invoice-2044-00017',
  customer: { name: 'Ada Example', email: 'ada@example.com' },
  lines: [
    { sku: 'TEA-EARL-250', quantity: 2 },
    { sku: 'CUP-WHITE-01', quantity: 4 },
  ],
});

export const postPath = '/api/v1/bench';

/** An operation that does nothing, to measure the HTTP layer alone. */
export const postRoute = route(
  contract({
    name: 'benchPost',
    method: 'POST',
    path: postPath,
    authentication: ['apiKey'],
    permissions: ['take-payments:write'],
    summary: 'Nothing, measured',
    tag: 'Bench',
    body: postBody,
    responses: { 200: json(z.object({ accepted: z.literal(true), amountInCents: z.int() })) },
  }),
  async ({ body }) => respond(200, { accepted: true as const, amountInCents: body.amountInCents }),
);

import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

export const apiRequestOutcome = z
  .enum(['ok', 'refused', 'failed'])
  .meta({ description: '`refused`: status 400 to 499; `failed`: 500 and above', example: 'refused' });
export type ApiRequestOutcome = z.infer<typeof apiRequestOutcome>;

/** What a status means for the caller. */
export function apiRequestOutcomeOf(status: number): ApiRequestOutcome {
  if (status < 400) return 'ok';
  return status < 500 ? 'refused' : 'failed';
}

const httpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

const apiRequestIssue = z.object({ path: z.string(), message: z.string() });
export type ApiRequestIssue = z.infer<typeof apiRequestIssue>;

export const apiRequestRecord = z
  .object({
    id: id('req').meta({ description: 'The id that the response had in its header `X-Request-Id`' }),
    createdAt: timestamp.meta({ description: 'When the call arrived' }),
    method: z.string().meta({ example: 'POST' }),
    route: z.string().meta({ description: 'The path of the operation', example: '/api/v1/payments/{id}/refunds/card' }),
    path: z.string().meta({
      description:
        'The path as it was called. The query is not kept; what may be a card number or a key is replaced by `…`',
      example: '/api/v1/payments/pay_019a8f3e6b7c7d2e8a1b2c3d4e5f6071/refunds/card',
    }),
    status: z.int().meta({ description: 'The HTTP status of the response', example: 409 }),
    outcome: apiRequestOutcome,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The code of the error: `metadata.reason`', example: 'payment_not_settled' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'The message of the error', example: 'The payment has not settled yet' }),
    issues: z.array(apiRequestIssue).meta({
      description: 'What was wrong with the input, field by field; at most five',
      example: [],
    }),
    durationMs: z.int().meta({ description: 'Until the response began', example: 12 }),
    apiKeyId: id('key'),
    apiKeyName: z.string().meta({ example: 'Till software' }),
    idempotencyKey: z.string().nullable().meta({ example: 'order-1042-refund' }),
    isReplay: z
      .boolean()
      .meta({ description: 'Whether the response of an earlier call with the same Idempotency-Key was given' }),
  })
  .meta({ id: 'ApiRequest' });
export type ApiRequestRecord = z.infer<typeof apiRequestRecord>;

export const listApiRequests = contract({
  name: 'listApiRequests',
  method: 'GET',
  path: '/api/v1/requests',
  authentication: ['apiKey'],
  permissions: ['api-keys:read'],
  summary: 'List the calls made with API keys, newest first',
  description:
    'Every answered call of the last seven days, also those that were refused: a call is listed about a second after its response. Calls with a key that was revoked or has expired are listed, too; those without a key or with an unknown one belong to no business and are not kept, nor are calls to addresses that do not exist, bodies, headers, queries and network addresses. A call reads a limited number of calls: where filters match few of many, `nextCursor` continues after an incomplete page, and `searchedBackTo` says how far the page got.',
  tag: 'Request log',
  query: pageQuery('requests').extend({
    outcome: apiRequestOutcome.optional(),
    apiKeyId: id('key').optional(),
    method: httpMethod.optional(),
    path: oneLine(200).optional().meta({ description: 'How the path begins', example: '/api/v1/payments' }),
    requestId: oneLine(100).optional(),
  }),
  responses: {
    200: json(
      listOf(apiRequestRecord).extend({
        searchedBackTo: timestamp.nullable().meta({
          description:
            'Set where older calls were not looked through yet: the time of the oldest that was. `nextCursor` goes on from there',
          example: null,
        }),
      }),
    ),
  },
  origin: 'project',
});

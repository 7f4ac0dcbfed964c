import { z } from 'zod';
import { permissionCode } from '../../permissions.ts';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';

export const problemKinds = [
  'payment_outcome_unknown',
  'refund_outcome_unknown',
  'withdrawal_outcome_unknown',
  'discrepancy_open',
  'webhook_disabled',
  'webhook_failing',
  'terminal_silent',
  'terminal_not_ready',
  'staff_locked',
  'api_key_expiring',
  'email_not_sent',
] as const;

const actionKinds = [
  'resolve_payment',
  'resolve_refund',
  'resolve_withdrawal',
  'resolve_discrepancy',
  'acknowledge_discrepancy',
  'enable_webhook',
  'check_webhook',
  'check_terminal',
  'unlock_staff',
  'create_api_key',
  'check_recipients',
] as const;

export const problemRecord = z
  .object({
    id: z.string().meta({
      description: 'The same as long as the problem lasts',
      example: 'discrepancy_open:dis_019a8f3e6b7c7d2e8a1b2c3d4e5f6071',
    }),
    kind: z.enum(problemKinds),
    severity: z.enum(['act', 'watch']).meta({
      description: '`act`: a person has to do something; `watch`: the service is at it, or it may end by itself',
    }),
    title: z.string().meta({ example: 'Refund of £5.00 without outcome' }),
    message: z.string().meta({
      description: 'What it means and what to do',
      example: 'The gateway has not reported whether this refund was made. Do not issue it again.',
    }),
    subject: z.object({
      kind: z.enum([
        'payment',
        'refund',
        'withdrawal',
        'discrepancy',
        'webhook',
        'device',
        'staff',
        'api_key',
        'recipient',
      ]),
      id: z.string().nullable().meta({ example: 'ref_019a8f3e6b7c7d2e8a1b2c3d4e5f6071' }),
      name: z.string().meta({ example: 'INV-000042' }),
      paymentId: id('pay').nullable().meta({ description: 'The payment that it is about, if it is about one' }),
    }),
    since: timestamp.nullable().meta({ description: 'Null where that is not known' }),
    action: z
      .object({ kind: z.enum(actionKinds), permission: permissionCode })
      .nullable()
      .meta({ description: 'What a person can do, and what it takes; null while there is nothing to do' }),
  })
  .meta({ id: 'BusinessProblem' });
export type ProblemRecord = z.infer<typeof problemRecord>;

export const listProblems = contract({
  name: 'listProblems',
  method: 'GET',
  path: '/api/v1/problems',
  authentication: ['apiKey'],
  permissions: [
    {
      anyOf: ['sales:read', 'take-payments:read', 'devices:read', 'webhooks:read', 'team:read', 'api-keys:read'],
    },
  ],
  summary: 'List what needs a person now, the most urgent first',
  description:
    'Read from the records: a problem is listed as long as it lasts, and for those who may see its record. At most 100 of each kind. Sentences are in the first language of Accept-Language among English and German, otherwise in that of the business.',
  tag: 'Problems',
  responses: {
    200: json(
      z.object({
        items: z.array(problemRecord),
        checkedAt: timestamp.meta({ description: 'When the records were read' }),
      }),
    ),
  },
  origin: 'project',
});

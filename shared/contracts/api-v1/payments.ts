import { z } from 'zod';
import { contract, id } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord } from '../text.ts';
import { evidence } from './discrepancies.ts';
import { linkPayment } from './payment-links.ts';

/** For a payment whose outcome the gateway could not tell: a manager decides it by what they saw there. */
export const resolvePayment = contract({
  name: 'resolvePayment',
  method: 'POST',
  path: '/api/v1/payments/{id}/resolve',
  authentication: ['apiKey'],
  permissions: ['take-payments:write', 'refunds:write'],
  summary: 'Decide a payment of unknown outcome on evidence',
  description:
    'Only where the gateway stays silent: say what its own records show and where you saw it. The evidence is kept in the audit log. A payment that is final does not change.',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  body: z
    .object({
      outcome: z.enum(['approved', 'failed']),
      evidence,
      gatewayReference: machineWord(100).optional(),
    })
    .refine(body => body.outcome === 'failed' || body.gatewayReference !== undefined, {
      path: ['gatewayReference'],
      error: 'is required for an approved payment',
    }),
  responses: { 200: json(linkPayment) },
  errors: { 404: ['payment_not_found'], 409: ['payment_not_pending', 'still_asking'] },
  idempotent: true,
  origin: 'project',
});

import { z } from 'zod';
import { contract, id } from '../contract.ts';
import { json } from '../responses.ts';
import { outcomeOnEvidence } from './evidence.ts';
import { linkPayment } from './payment-links.ts';

export const resolvePayment = contract({
  ...outcomeOnEvidence('payment'),
  name: 'resolvePayment',
  path: '/api/v1/payments/{id}/resolve',
  tag: 'Payments',
  params: z.object({ id: id('pay') }),
  responses: { 200: json(linkPayment) },
  errors: { 404: ['payment_not_found'], 409: ['payment_not_pending', 'still_asking'] },
});

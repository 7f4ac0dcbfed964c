import { z } from 'zod';
import { contract, id } from './contract.ts';
import { json } from './responses.ts';

/** A gateway's callback to an account: the outcome of an operation, form-encoded and signed over its exact bytes. */
export const takeGatewayCallback = contract({
  name: 'takeGatewayCallback',
  method: 'POST',
  path: '/callbacks/gateway/{accountId}',
  authentication: ['signedCallback'],
  summary: 'Receive the outcome of a card operation',
  tag: 'Callbacks',
  params: z.object({ accountId: id('gwa') }),
  body: z.string(),
  bodyFormat: 'text',
  // Genuine callbacks have about fifty fields in two kilobytes.
  bodyLimits: { bytes: 20_000, fields: 200 },
  responses: { 200: json(z.object({ taken: z.boolean() })) },
  errors: { 400: ['callback_not_genuine'], 404: ['gateway_account_not_found'] },
  origin: 'project',
});

import { z } from 'zod';
import { contract } from './contract.ts';

/** What the card gateway posts on its own: the outcome of an operation, form-encoded and signed over its very bytes. */
export const takeGatewayCallback = contract({
  name: 'takeGatewayCallback',
  method: 'POST',
  path: '/callbacks/card-gateway',
  caller: 'anyone',
  summary: 'Take the outcome of a card operation',
  tag: 'Callbacks',
  body: z.string(),
  bodyFormat: 'text',
  answers: { 200: z.object({ taken: z.boolean() }) },
  refusals: { 400: ['callback_not_genuine'] },
  origin: 'project',
});

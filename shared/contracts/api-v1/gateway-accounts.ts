import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';

export const gatewayAccountRecord = z
  .object({
    id: id('gwa'),
    name: z.string(),
    adapter: z.string().meta({ description: 'The kind of gateway', example: 'cardstream' }),
    merchantId: z.string().meta({ description: 'The account at the gateway', example: '100001' }),
    isDefault: z.boolean().meta({ description: 'Whether new payments use it' }),
    capabilities: z.object({
      cardPresent: z.boolean(),
      ecommerce: z.boolean(),
      threeDSecure: z.boolean(),
      lookupByUniqueReference: z.boolean(),
      callbacks: z.boolean(),
    }),
    createdAt: timestamp,
    disabledAt: timestamp.nullable(),
  })
  .meta({ id: 'GatewayAccount' });
export type GatewayAccountRecord = z.infer<typeof gatewayAccountRecord>;

export const listGatewayAccounts = contract({
  name: 'listGatewayAccounts',
  method: 'GET',
  path: '/api/v1/gateway-accounts',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List gateway accounts, newest first',
  description:
    'Settings and secrets are not shown. Accounts are created on the command line: `npm run admin -- gateway-account`.',
  tag: 'Gateway accounts',
  query: pageQuery('gateway-accounts'),
  responses: { 200: json(listOf(gatewayAccountRecord)) },
  origin: 'project',
});

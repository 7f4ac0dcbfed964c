import { z } from 'zod';
import { changesOf, contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

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
    isOwn: z.boolean().meta({ description: 'Whether the business added it, and so can change it' }),
    disabledAt: timestamp.nullable(),
  })
  .meta({ id: 'GatewayAccount' });
export type GatewayAccountRecord = z.infer<typeof gatewayAccountRecord>;

const gatewayTest = z
  .object({
    name: z.string().meta({ description: 'The tested interface', example: 'payments' }),
    ok: z.boolean().meta({ description: 'Whether the test succeeded' }),
    cause: z.string().nullable().meta({ description: 'A stable code for the failure', example: 'bad_signature' }),
    message: z.string().meta({ description: 'The result in words', example: 'The gateway takes payments' }),
  })
  .meta({ id: 'GatewayTest' });
export type GatewayTestRecord = z.infer<typeof gatewayTest>;

const tag = 'Gateway accounts';

export const listGatewayAccounts = contract({
  name: 'listGatewayAccounts',
  method: 'GET',
  path: '/api/v1/gateway-accounts',
  authentication: ['apiKey'],
  permissions: ['take-payments:read'],
  summary: 'List gateway accounts, newest first',
  description: 'Settings and secrets are not shown.',
  tag,
  query: pageQuery('gateway-accounts'),
  responses: { 200: json(listOf(gatewayAccountRecord)) },
  origin: 'project',
});

/** Not with a key: whoever has one must not be able to choose where the money goes. */
const forAdmins = {
  authentication: ['portalSession'],
  permissions: ['team:write'],
  adminsOnly: true,
  tag,
  origin: 'project',
} as const;
const ofAccount = { params: z.object({ id: id('gwa') }) };
const settings = z.record(z.string().max(100), z.unknown());

export const createGatewayAccount = contract({
  ...forAdmins,
  name: 'createGatewayAccount',
  method: 'POST',
  path: '/api/v1/gateway-accounts',
  stepUp: true,
  summary: 'Add an account at the card gateway',
  description:
    'The addresses of the gateway are those of the service and cannot be set here. `config` and `secrets` depend on the adapter: for `cardstream` `{"countryCode","reportingUser"?}` and `{"signature","reportingPassword"?,"cardPresent"?}`. `reportingUser` and `reportingPassword` allow lookups of operations whose outcome was lost, `cardPresent` is the key for sales at terminals. Nothing is sent to the gateway: test the account afterwards. The first account of a business is used for new payments; another one once it is made the default.',
  body: z.object({
    adapter: machineWord(40).meta({ description: 'The kind of gateway', example: 'cardstream' }),
    name: oneLine(100).meta({ example: 'Main account' }),
    merchantId: machineWord(100).meta({ description: 'The account at the gateway', example: '100002' }),
    config: settings.meta({ example: { countryCode: 'GB' } }),
    secrets: settings.meta({
      description: 'Stored encrypted, never shown',
      example: { signature: 'the signature key of the account' },
    }),
  }),
  responses: { 201: json(gatewayAccountRecord) },
  errors: { 400: ['settings_invalid'] },
  idempotent: true,
});

export const changeGatewayAccount = contract({
  ...forAdmins,
  ...ofAccount,
  name: 'changeGatewayAccount',
  method: 'PATCH',
  path: '/api/v1/gateway-accounts/{id}',
  stepUp: true,
  summary: 'Rename a gateway account or replace its secrets',
  description:
    'Each setting and secret that is given replaces the stored one, the others stay. Used within ten seconds, also for refunds and lookups of earlier payments. Nothing is sent to the gateway: test the account afterwards. Only accounts that the business added can be changed here, and their merchant ID never: add another account instead.',
  body: changesOf({
    name: oneLine(100).meta({ example: 'Main account' }),
    config: settings.meta({ example: { countryCode: 'GB' } }),
    secrets: settings.meta({
      description: 'Stored encrypted, never shown',
      example: { signature: 'the new signature key of the account' },
    }),
  }),
  responses: { 200: json(gatewayAccountRecord) },
  errors: {
    400: ['settings_invalid'],
    404: ['gateway_account_not_found'],
    409: ['gateway_account_not_own'],
  },
});

export const testGatewayAccount = contract({
  ...forAdmins,
  ...ofAccount,
  name: 'testGatewayAccount',
  method: 'POST',
  path: '/api/v1/gateway-accounts/{id}/test',
  summary: 'Test the connection of a gateway account',
  description: 'Asks each interface of the gateway a harmless question with the stored secrets. It moves no money.',
  responses: { 200: json(z.object({ tests: z.array(gatewayTest) })) },
  errors: { 404: ['gateway_account_not_found'] },
});

export const setDefaultGatewayAccount = contract({
  ...forAdmins,
  ...ofAccount,
  name: 'setDefaultGatewayAccount',
  method: 'POST',
  path: '/api/v1/gateway-accounts/{id}/default',
  stepUp: true,
  summary: 'Use a gateway account for new payments',
  description:
    'Within ten seconds. Payments keep the account that took them, and so do their refunds and voids. Repeating the call is safe.',
  responses: { 200: json(gatewayAccountRecord) },
  errors: { 404: ['gateway_account_not_found'], 409: ['gateway_account_disabled'] },
});

export const disableGatewayAccount = contract({
  ...forAdmins,
  ...ofAccount,
  name: 'disableGatewayAccount',
  method: 'POST',
  path: '/api/v1/gateway-accounts/{id}/disable',
  stepUp: true,
  summary: 'Take no new payments through a gateway account',
  description:
    'Cannot be undone. What the account took can still be refunded, voided and looked up. If it was the default, cards are refused until another account is made the default. Repeating the call is safe.',
  responses: { 200: json(gatewayAccountRecord) },
  errors: { 404: ['gateway_account_not_found'] },
});

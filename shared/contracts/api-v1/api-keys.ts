import { z } from 'zod';
import { needsPermission, permissionCode, permissionsOfKey, presets } from '../../permissions.ts';
import { contract, id, timeGiven, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

export const presetCode = z.enum(Object.keys(presets) as [keyof typeof presets]);

export const apiKeyStatus = z.enum(['active', 'revoked', 'expired']);

const presetExample = presetCode.meta({
  description: '`CUSTOM` has only the permissions that are named',
  example: 'CUSTOM',
});
const permissionsExample = ['take-payments:write', 'sales:read'];

export const apiKeyRecord = z
  .object({
    id: id('key'),
    name: z.string(),
    preset: presetExample,
    permissions: z
      .array(permissionCode)
      .meta({ description: 'All that it may do, with those of the preset', example: permissionsExample }),
    status: apiKeyStatus,
    lastFour: z.string().meta({ description: 'The last characters of the key, for identification' }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute' }),
    createdAt: timestamp,
  })
  .meta({ id: 'ApiKey' });

export const listApiKeys = contract({
  name: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  authentication: ['apiKey'],
  permissions: ['api-keys:read'],
  summary: 'List API keys, newest first',
  tag: 'API keys',
  query: pageQuery('api-keys').extend({ status: apiKeyStatus.optional(), preset: presetCode.optional() }),
  responses: { 200: json(listOf(apiKeyRecord)) },
  origin: 'project',
});

export const getApiKey = contract({
  name: 'getApiKey',
  method: 'GET',
  path: '/api/v1/api-keys/{id}',
  authentication: ['apiKey'],
  permissions: ['api-keys:read'],
  summary: 'Read one API key',
  tag: 'API keys',
  params: z.object({ id: id('key') }),
  responses: { 200: json(apiKeyRecord) },
  errors: { 404: ['api_key_not_found'] },
  origin: 'project',
});

export const createApiKey = contract({
  name: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  authentication: ['apiKey'],
  permissions: ['api-keys:write'],
  stepUp: true,
  summary: 'Create an API key',
  description:
    'The key is shown in this response only; only a hash is stored. A repetition with the same Idempotency-Key gets the record with `key` null.',
  tag: 'API keys',
  permissionsFor: {
    description: 'The caller must hold every permission of the new key.',
    of: permissionsOfKey,
  },
  body: z
    .object({
      name: oneLine(100),
      preset: presetExample.default('CUSTOM'),
      permissions: z
        .array(permissionCode)
        .default([])
        .meta({ description: 'In addition to those of the preset', example: permissionsExample }),
      expiresAt: timeGiven.nullable().default(null),
    })
    .refine(key => permissionsOfKey(key).length > 0, needsPermission),
  responses: {
    201: json(
      apiKeyRecord
        .extend({
          key: z.string().nullable().meta({ description: 'The key, shown once', example: 'florin_api_live_2Zq0…' }),
        })
        .meta({ id: 'NewApiKey' }),
    ),
  },
  idempotent: true,
  origin: 'project',
});

export const revokeApiKey = contract({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/{id}',
  authentication: ['apiKey'],
  permissions: ['api-keys:write'],
  stepUp: true,
  summary: 'Revoke an API key',
  description:
    'Takes effect with the next request and cannot be undone. Repeating the call is safe. The caller must hold every permission of the key.',
  tag: 'API keys',
  params: z.object({ id: id('key') }),
  responses: { 200: json(apiKeyRecord) },
  errors: { 403: ['beyond_own_permissions'], 404: ['api_key_not_found'] },
  origin: 'project',
});

import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

const maxTerminals = 100;

export const kioskKeyRecord = z
  .object({
    id: id('kkey'),
    name: z.string(),
    deviceIds: z.array(id('dev')).meta({ description: 'The terminals of the installation' }),
    lastFour: z.string().meta({ description: 'The last characters of the key, for identification' }),
    revokedAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute' }),
    createdAt: timestamp,
  })
  .meta({ id: 'KioskKey' });

export const listKioskKeys = contract({
  name: 'listKioskKeys',
  method: 'GET',
  path: '/api/v1/kiosk-keys',
  authentication: ['apiKey'],
  permissions: ['devices:read'],
  summary: 'List kiosk keys, newest first',
  tag: 'Kiosk keys',
  query: pageQuery('kiosk-keys'),
  responses: { 200: json(listOf(kioskKeyRecord)) },
  origin: 'project',
});

export const createKioskKey = contract({
  name: 'createKioskKey',
  method: 'POST',
  path: '/api/v1/kiosk-keys',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  stepUp: true,
  summary: 'Create the key of a kiosk installation',
  description:
    'It may use only the named terminals, over /kiosk/v1. The key is shown in this response only; only a hash is stored. A repetition with the same Idempotency-Key gets the record with `key` null.',
  tag: 'Kiosk keys',
  body: z.object({
    name: oneLine(100),
    deviceIds: z
      .array(id('dev'), { error: issue => (issue.input === undefined ? 'is required' : 'must be a list') })
      .min(1, { error: 'must name at least one terminal' })
      .max(maxTerminals, { error: `must name at most ${maxTerminals} terminals` })
      .meta({ example: ['dev_019a8f3e6b7c7d2e8a1b2c3d4e5f6071'] }),
  }),
  responses: {
    201: json(
      kioskKeyRecord
        .extend({
          key: z.string().nullable().meta({ description: 'The key, shown once', example: 'florin_kiosk_live_7Hc1…' }),
        })
        .meta({ id: 'NewKioskKey' }),
    ),
  },
  errors: { 404: ['device_not_found'] },
  idempotent: true,
  origin: 'project',
});

export const revokeKioskKey = contract({
  name: 'revokeKioskKey',
  method: 'DELETE',
  path: '/api/v1/kiosk-keys/{id}',
  authentication: ['apiKey'],
  permissions: ['devices:write'],
  summary: 'Revoke a kiosk key',
  description: 'Takes effect with the next request and cannot be undone. Repeating the call is safe.',
  tag: 'Kiosk keys',
  params: z.object({ id: id('kkey') }),
  responses: { 200: json(kioskKeyRecord) },
  errors: { 404: ['kiosk_key_not_found'] },
  origin: 'project',
});

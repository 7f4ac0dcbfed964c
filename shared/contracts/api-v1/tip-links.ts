import { z } from 'zod';
import { amountSats } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { oneLine } from '../text.ts';

export const tipLinkRecord = z
  .object({
    id: id('tip'),
    url: z.string().meta({ description: 'The page where tips are given' }),
    name: z.string().meta({ description: 'The recipient of the tip' }),
    lightningName: z
      .string()
      .nullable()
      .meta({ description: 'The part before the @ of its Lightning address; null if that is the id' }),
    minimumSats: z.int().meta({ description: 'The minimum tip, in satoshis', example: 100 }),
    maximumSats: z.int().meta({ description: 'The maximum tip, in satoshis', example: 1_000_000 }),
    lnurl: z
      .string()
      .meta({ description: 'LNURL-pay (LUD-01, LUD-06): what wallets scan', example: 'LNURL1DP68GURN8GHJ7…' }),
    lightningAddress: z
      .string()
      .meta({ description: 'Lightning address (LUD-16)', example: 'corner-shop@pay.example' }),
    receivedSats: z.int().meta({ description: 'The total received, in satoshis' }),
    tipCount: z.int().meta({ description: 'The number of tips received' }),
    createdAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .meta({ id: 'TipLink' });
export type TipLinkRecord = z.infer<typeof tipLinkRecord>;

const common = { authentication: ['apiKey'], tag: 'Tip links', origin: 'project' } as const;
const params = z.object({ id: id('tip') });

/** Wallets receive millisatoshis as a JSON number. */
const maxTipSats = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

export const createTipLink = contract({
  ...common,
  name: 'createTipLink',
  method: 'POST',
  path: '/api/v1/tip-links',
  permissions: ['tip-links:write'],
  summary: 'Create a link where customers give tips over Lightning',
  body: z
    .object({
      name: oneLine(100).meta({ example: 'The kitchen' }),
      lightningName: z
        .string()
        .regex(/^(?!tip_)[a-z0-9][a-z0-9._-]{0,63}$/, {
          error:
            'must be 1 to 64 of a-z, 0-9, hyphen, underscore and dot, begin with a letter or digit, and not with tip_',
        })
        .optional()
        .meta({
          description:
            'The part before the @ of the Lightning address (LUD-16): unique on this service and never reused. Default: the id',
          example: 'corner-shop',
        }),
      minimumSats: amountSats.default(1).meta({ description: 'The minimum tip, in satoshis', example: 100 }),
      maximumSats: amountSats
        .max(maxTipSats, { error: `must be at most ${maxTipSats}` })
        .default(1_000_000)
        .meta({ description: 'Exact as a JSON number in millisatoshis, the unit of wallets' }),
    })
    .refine(({ minimumSats, maximumSats }) => minimumSats <= maximumSats, {
      path: ['maximumSats'],
      error: 'must be at least minimumSats',
    }),
  responses: { 201: json(tipLinkRecord) },
  errors: { 409: ['bitcoin_not_available', 'name_taken'] },
  idempotent: true,
});

export const listTipLinks = contract({
  ...common,
  name: 'listTipLinks',
  method: 'GET',
  path: '/api/v1/tip-links',
  permissions: ['tip-links:read'],
  summary: 'List tip links, newest first',
  query: pageQuery('tip-links'),
  responses: { 200: json(listOf(tipLinkRecord)) },
});

export const getTipLink = contract({
  ...common,
  name: 'getTipLink',
  method: 'GET',
  path: '/api/v1/tip-links/{id}',
  permissions: ['tip-links:read'],
  summary: 'Read one tip link',
  params,
  responses: { 200: json(tipLinkRecord) },
  errors: { 404: ['tip_link_not_found'] },
});

export const deleteTipLink = contract({
  ...common,
  name: 'deleteTipLink',
  method: 'DELETE',
  path: '/api/v1/tip-links/{id}',
  permissions: ['tip-links:write'],
  summary: 'Delete a tip link: it accepts no more tips',
  params,
  responses: { 200: json(tipLinkRecord) },
  errors: { 404: ['tip_link_not_found'] },
});

import { z } from 'zod';
import { currencyCode } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { transactionRecord } from './transactions.ts';

const count = (what: string) => z.int().meta({ description: `Number of ${what}`, example: 3 });
const sum = (what: string, example: number) => z.int().meta({ description: what, example });
const day = z.iso.date({ error: 'must be a day, such as 2026-11-21' });

export const settlementRecord = z
  .object({
    id: id('set'),
    status: z.enum(['awaiting', 'current', 'closed']).meta({
      description:
        '`awaiting`: approved, not settled yet; `current`: of today, more may follow; `closed`: of a past day, final',
    }),
    day: z
      .string()
      .nullable()
      .meta({ description: 'In the time zone of the business; null while awaiting', example: '2026-11-21' }),
    gatewayAccount: z.object({ id: z.string(), name: z.string() }),
    currency: z.string().meta({ example: 'GBP' }),
    grossInCents: sum('The amount taken by payments', 12500),
    voidedInCents: sum('The part of it that was voided before settlement', 1250),
    rejectedInCents: sum('The part of it that the bank refused to settle', 0),
    refundedInCents: sum('The amount refunded to customers, for these or earlier payments', 500),
    netInCents: sum('grossInCents less voidedInCents, rejectedInCents and refundedInCents', 10750),
    paymentCount: count('payments'),
    voidCount: count('voids'),
    rejectedCount: count('rejected settlements'),
    refundCount: count('refunds'),
    from: timestamp.nullable().meta({ description: 'When the day begins' }),
    to: timestamp.nullable().meta({ description: 'When the next day begins' }),
  })
  .meta({ id: 'Settlement' });
export type SettlementRecord = z.infer<typeof settlementRecord>;

const params = z.object({ id: id('set') });
const errors = { 404: ['settlement_not_found'] } as const;

export const listSettlements = contract({
  name: 'listSettlements',
  method: 'GET',
  path: '/api/v1/settlements',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'List settlements by day, gateway account and currency, newest first',
  description:
    'A payment counts on the day it was found settled, voided or rejected, a refund on the day the gateway approved it: the lines of `/transactions`, each in one settlement. Unsettled amounts come first. Only payments of gateway accounts: neither bitcoin nor sales that a reader authorised by itself.',
  tag: 'Settlements',
  mayBeStale: true,
  query: pageQuery('settlements').extend({
    currency: currencyCode.optional(),
    from: day.optional().meta({ description: 'From this day on; default: 90 days before `to`' }),
    to: day.optional().meta({ description: 'Up to and including this day; default: today' }),
  }),
  responses: { 200: json(listOf(settlementRecord)) },
  origin: 'project',
});

export const getSettlement = contract({
  name: 'getSettlement',
  method: 'GET',
  path: '/api/v1/settlements/{id}',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'Read one settlement',
  tag: 'Settlements',
  params,
  responses: { 200: json(settlementRecord) },
  errors,
  origin: 'project',
});

export const listSettlementTransactions = contract({
  name: 'listSettlementTransactions',
  method: 'GET',
  path: '/api/v1/settlements/{id}/transactions',
  authentication: ['apiKey'],
  permissions: ['sales:read'],
  summary: 'List the transactions of a settlement, newest first',
  tag: 'Settlements',
  params,
  query: pageQuery('settlement-transactions'),
  responses: { 200: json(listOf(transactionRecord)) },
  errors,
  origin: 'project',
});

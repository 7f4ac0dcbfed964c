import { z } from 'zod';
import { contract } from '../contract.ts';
import { saleId } from '../device-v1/sales.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import {
  cancelledExample,
  cancelWords,
  newTerminalSale,
  serial,
  startErrors,
  startedExample,
  startWords,
  terminalSaleRecord,
  terminalSaleStatus,
} from '../terminal-sales.ts';

const params = z.object({ saleId });

export const startTerminalSale = contract({
  name: 'startTerminalSale',
  method: 'POST',
  path: '/api/v1/terminal/sales',
  authentication: ['apiKey'],
  permissions: ['terminal-sales:write'],
  summary: 'Start a sale or refund on a terminal',
  description: startWords,
  tag: 'Terminal sales',
  body: newTerminalSale,
  responses: { 201: json(terminalSaleRecord, startedExample) },
  errors: startErrors,
  idempotent: true,
  origin: 'project',
});

export const getTerminalSale = contract({
  name: 'getTerminalSale',
  method: 'GET',
  path: '/api/v1/terminal/sales/{saleId}',
  authentication: ['apiKey'],
  permissions: [{ anyOf: ['terminal-sales:read', 'terminal-sales:write'] }],
  summary: 'Read a terminal sale',
  description: 'Also a card sale keyed in at the terminal, once its authorisation was sent.',
  tag: 'Terminal sales',
  params,
  responses: { 200: json(terminalSaleRecord) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

export const listTerminalSales = contract({
  name: 'listTerminalSales',
  method: 'GET',
  path: '/api/v1/terminal/sales',
  authentication: ['apiKey'],
  permissions: ['terminal-sales:read'],
  summary: 'List terminal sales, newest first',
  description:
    'Sales started over the API, and all bitcoin sales. Card sales keyed in at a terminal are in `GET /api/v1/transactions`.',
  tag: 'Terminal sales',
  mayBeStale: true,
  query: pageQuery('terminal-sales').extend({
    status: terminalSaleStatus.optional(),
    serial: serial.optional(),
  }),
  responses: { 200: json(listOf(terminalSaleRecord)) },
  origin: 'project',
});

export const cancelTerminalSale = contract({
  name: 'cancelTerminalSale',
  method: 'POST',
  path: '/api/v1/terminal/sales/{saleId}/cancel',
  authentication: ['apiKey'],
  permissions: ['terminal-sales:write'],
  summary: 'Cancel a terminal sale',
  description: cancelWords,
  tag: 'Terminal sales',
  params,
  responses: { 200: json(terminalSaleRecord, cancelledExample) },
  errors: { 404: ['sale_not_found'] },
  idempotent: true,
  origin: 'project',
});

import { z } from 'zod';
import { contract } from '../contract.ts';
import { saleId } from '../device-v1/sales.ts';
import { eventStream, json } from '../responses.ts';
import { modeOfTerminal } from '../terminal-mode.ts';
import {
  cancelledExample,
  cancelWords,
  newTerminalSale,
  readiness,
  serial,
  startErrors,
  startedExample,
  startWords,
  terminalSaleRecord,
} from '../terminal-sales.ts';

const params = z.object({ saleId });

export const getKioskTerminal = contract({
  name: 'getKioskTerminal',
  method: 'GET',
  path: '/kiosk/v1/terminals/{serial}',
  authentication: ['kioskKey'],
  summary: 'Read a terminal, its business, and whether it is ready for a sale',
  description:
    'If `readyForSale` is false, `whyNot` gives the reason, so that an unreachable terminal can be distinguished from a slow customer. A sale may be started anyway: the terminal receives it as soon as it reconnects.',
  tag: 'Terminals',
  params: z.object({ serial }),
  responses: {
    200: json(
      readiness
        .extend({
          serial,
          name: z.string(),
          mode: modeOfTerminal,
          business: z.object({
            name: z.string().meta({ example: 'Corner Shop' }),
            currency: z.string(),
            locale: z.string(),
            timeZone: z.string(),
          }),
        })
        .meta({ id: 'KioskTerminal' }),
    ),
  },
  errors: { 404: ['terminal_not_found'] },
  origin: 'project',
});

export const startKioskSale = contract({
  name: 'startKioskSale',
  method: 'POST',
  path: '/kiosk/v1/sales',
  authentication: ['kioskKey'],
  summary: 'Start a sale or refund on a terminal',
  description: startWords,
  tag: 'Sales',
  body: newTerminalSale,
  responses: { 201: json(terminalSaleRecord, startedExample) },
  errors: startErrors,
  idempotent: true,
  origin: 'project',
});

export const getKioskSale = contract({
  name: 'getKioskSale',
  method: 'GET',
  path: '/kiosk/v1/sales/{saleId}',
  authentication: ['kioskKey'],
  summary: 'Read a sale',
  tag: 'Sales',
  params,
  responses: { 200: json(terminalSaleRecord) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

export const cancelKioskSale = contract({
  name: 'cancelKioskSale',
  method: 'POST',
  path: '/kiosk/v1/sales/{saleId}/cancel',
  authentication: ['kioskKey'],
  summary: 'Cancel a sale',
  description: cancelWords,
  tag: 'Sales',
  params,
  responses: { 200: json(terminalSaleRecord, cancelledExample) },
  errors: { 404: ['sale_not_found'] },
  idempotent: true,
  origin: 'project',
});

export const followKioskSale = contract({
  name: 'followKioskSale',
  method: 'GET',
  path: '/kiosk/v1/sales/{saleId}/events',
  authentication: ['kioskKey'],
  summary: 'Follow a sale to its end',
  description:
    'Server-sent events: `open` with the sale as it is, then `sale-changed` with it at each change; the stream ends after a final status. A client that lost the connection sends the id of the last event it saw as Last-Event-ID and gets every change since, none twice; after a long time, `open` with the sale as it is. A comment every fifteen seconds keeps the connection. If too many streams are open, the response is 429 `too_many_open_streams`: read the record instead, and open a stream after Retry-After. The EventSource of browsers cannot send the key: read the stream with fetch.',
  tag: 'Sales',
  params,
  responses: { 200: eventStream({ open: terminalSaleRecord, 'sale-changed': terminalSaleRecord }) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

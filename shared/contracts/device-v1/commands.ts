import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { eventStream, json } from '../responses.ts';
import { terminalMode } from '../terminal-mode.ts';
import { terminalActivity } from '../terminal-sales.ts';
import { machineWord, oneLine } from '../text.ts';
import { bitcoinSale } from './bitcoin.ts';
import { saleId, saleRecord } from './sales.ts';

const commandId = id('cmd');
const shared = { commandId, saleId, expiresAt: timestamp };

/** Somebody's software starts a sale on this terminal. */
export const startSaleCommand = z.object({
  ...shared,
  kind: z.literal('start_sale'),
  amountInCents: z.int(),
  currency: z.string(),
  /** Who asks, for whoever stands at the terminal. */
  requestedBy: z.string(),
  reference: z.string().nullable(),
  language: z.string().nullable(),
  shouldPrint: z.boolean(),
  /** What the customer may pay with. */
  rails: z
    .array(z.enum(['card', 'bitcoin']))
    .min(1)
    .default(['card']),
});
/** Somebody's software asks for a refund of a sale, which a staff member has to authorise. */
export const startRefundCommand = startSaleCommand.extend({
  kind: z.literal('start_refund'),
  operation: z.enum(['CANCEL', 'REFUND_SALE']),
  original: saleRecord,
});
/** The sale has ended without this terminal: what is shown of it goes away. */
export const endSaleCommand = z.object({ ...shared, kind: z.literal('end_sale') });

export const terminalCommand = z
  .discriminatedUnion('kind', [startSaleCommand, startRefundCommand, endSaleCommand])
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof terminalCommand>;

/** What a manager set for this terminal over the API. */
export const terminalProfile = z.object({ name: z.string(), mode: terminalMode });

/** The bank's answer about a sale of this terminal is known: read the sale, where its request was not answered yet. */
export const bankAnswer = z.object({ saleId });

export const followCommands = contract({
  name: 'followCommands',
  method: 'GET',
  path: '/device/v1/commands',
  authentication: ['deviceToken'],
  summary: 'What software wants of this terminal, as it happens',
  description:
    'Sends every command that is neither acknowledged nor expired, the oldest first, and then each new one at once. Whatever was not acknowledged is sent again to whoever connects, so nothing is lost with a connection; a command is known by its id. `bitcoin` carries what became of a sale in bitcoin of this terminal, at each change; after a break it is read. `bank` says that the service knows what the bank said of a sale of this terminal, so that one whose request is not answered yet is read at once. `settings` says that the terminal’s name or mode was changed: sync at once.',
  tag: 'Commands',
  responses: {
    200: eventStream({ command: terminalCommand, bitcoin: bitcoinSale, bank: bankAnswer, settings: terminalProfile }),
  },
  origin: 'project',
});

export const acknowledgeCommand = contract({
  name: 'acknowledgeCommand',
  method: 'POST',
  path: '/device/v1/commands/{commandId}/acknowledge',
  authentication: ['deviceToken'],
  summary: 'Take or refuse a command',
  description:
    'A sale begins only where `proceed` is true: it may have been cancelled or have expired meanwhile. Harmless to repeat; the answer is the same.',
  tag: 'Commands',
  params: z.object({ commandId }),
  body: z.object({ outcome: z.enum(['taken', 'busy']) }),
  responses: { 200: json(z.object({ proceed: z.boolean() })) },
  errors: { 404: ['command_not_found'] },
  origin: 'project',
});

export const saleProgressStage = z.enum([
  'awaiting_reader',
  'awaiting_card',
  'card_read',
  'awaiting_staff',
  'unknown_outcome',
]);
/** Why a sale ended on the terminal; what the bank says about it counts more. */
export const saleEndReason = z.enum([
  'completed',
  'customer_cancelled',
  'staff_cancelled',
  'no_card',
  /** Of a refund: no staff member authorised it in time. */
  'expired',
  'declined',
  'card_refused',
  'not_authorised',
  'reader_not_available',
  'interrupted',
  'failed',
  /** A reader that authorises by itself forgot it: nobody here knows whether the card was charged. */
  'outcome_unknown',
]);

export const reportSaleProgress = contract({
  name: 'reportSaleProgress',
  method: 'POST',
  path: '/device/v1/terminal-sales/{saleId}/progress',
  authentication: ['deviceToken'],
  summary: 'How far a sale that software started has come',
  description: 'A report that was overtaken by a later one, or by the end of the sale, changes nothing.',
  tag: 'Commands',
  params: z.object({ saleId }),
  body: z.object({
    /** One more with every report about this sale. */
    sequence: z.int().min(1),
    report: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('stage'), stage: saleProgressStage }),
      z.object({ kind: z.literal('ended'), reason: saleEndReason }),
    ]),
  }),
  responses: { 200: json(z.object({ isOver: z.boolean() })) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

export const announceReaderStart = contract({
  name: 'announceReaderStart',
  method: 'POST',
  path: '/device/v1/terminal-sales/{saleId}/at-reader',
  authentication: ['deviceToken'],
  summary: 'Ask whether a reader that authorises by itself may be started',
  description:
    'Asked before such a reader is started for a sale that software started: it charges without asking the service. The reader is started only where `proceed` is true. From then on the sale ends by the word of the terminal alone: a cancellation and the expiry only ask the terminal to end it. Harmless to repeat.',
  tag: 'Commands',
  params: z.object({ saleId }),
  responses: { 200: json(z.object({ proceed: z.boolean() })) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/** What a terminal reports of itself, at every change and every fifteen seconds. */
export const reportTerminalStatus = contract({
  name: 'reportTerminalStatus',
  method: 'POST',
  path: '/device/v1/status',
  authentication: ['deviceToken'],
  summary: 'Tell whether this terminal is ready for a sale',
  tag: 'Commands',
  body: z.object({
    appVersion: machineWord(40),
    /** What it is used for, other than what software started; null where it is free. */
    activity: terminalActivity.nullable(),
    reader: z.object({
      connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']),
      batteryPercent: z.int().min(0).max(100).nullable(),
      attention: oneLine(200).nullable(),
    }),
  }),
  responses: { 200: json(z.object({ serverTime: timestamp })) },
  origin: 'project',
});

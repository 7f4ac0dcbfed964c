import { z } from 'zod';
import { contract, id, timestamp } from '../contract.ts';
import { eventStream, json } from '../responses.ts';
import { supportCode } from '../support-code.ts';
import { terminalMode } from '../terminal-mode.ts';
import { terminalActivity } from '../terminal-sales.ts';
import { machineWord, oneLine } from '../text.ts';
import { bitcoinSale } from './bitcoin.ts';
import { saleId, saleRecord } from './sales.ts';

const commandId = id('cmd');
const shared = { commandId, saleId, expiresAt: timestamp };

/** A sale on this terminal, started over the API. */
export const startSaleCommand = z.object({
  ...shared,
  kind: z.literal('start_sale'),
  amountInCents: z.int(),
  currency: z.string(),
  /** The requester's name, shown at the terminal. */
  requestedBy: z.string(),
  reference: z.string().nullable(),
  language: z.string().nullable(),
  shouldPrint: z.boolean(),
  /** The payment methods offered to the customer. */
  rails: z
    .array(z.enum(['card', 'bitcoin']))
    .min(1)
    .default(['card']),
});
/** A refund of a sale requested over the API, which a staff member has to authorise. */
export const startRefundCommand = startSaleCommand.extend({
  kind: z.literal('start_refund'),
  operation: z.enum(['CANCEL', 'REFUND_SALE']),
  original: saleRecord,
});
/** The sale ended elsewhere: remove it from the screen. */
export const endSaleCommand = z.object({ ...shared, kind: z.literal('end_sale') });

export const terminalCommand = z
  .discriminatedUnion('kind', [startSaleCommand, startRefundCommand, endSaleCommand])
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof terminalCommand>;

/** Its name and mode, when these or settings or staff of the business were changed. */
export const terminalProfile = z.object({ name: z.string(), mode: terminalMode });

/** The bank's decision about a sale is known: read the sale if its request was not answered yet. */
export const bankAnswer = z.object({ saleId });

export const followCommands = contract({
  name: 'followCommands',
  method: 'GET',
  path: '/device/v1/commands',
  authentication: ['deviceToken'],
  summary: 'Stream the commands for this terminal',
  description:
    'Sends every command that is neither acknowledged nor expired, the oldest first, and then each new one at once. A terminal has one such stream: a new one ends the previous one. Unacknowledged commands are sent again on each connection, so none is lost; commands are identified by id. `bitcoin` carries each change of a bitcoin sale of this terminal; after a reconnect, read the sale. `bank` means that the service has the bank’s decision on a sale of this terminal, so that one whose request is not answered yet can be read at once. `settings` means that the terminal’s name or mode or a setting or the staff of its business was changed: sync within a second; it carries the terminal’s name and mode.',
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
  summary: 'Accept or refuse a command',
  description:
    'Start the sale only if `proceed` is true: it may have been cancelled or have expired meanwhile. Safe to repeat; the response is the same.',
  tag: 'Commands',
  params: z.object({ commandId }),
  body: z.object({ outcome: z.enum(['taken', 'busy']) }),
  responses: { 200: json(z.object({ proceed: z.boolean() })) },
  errors: { 404: ['command_not_found'] },
  origin: 'project',
});

export const saleProgressStage = z.enum([
  'awaiting_reader',
  'awaiting_card_removal',
  'awaiting_card',
  'card_read',
  'awaiting_staff',
  'unknown_outcome',
]);
/** Why a sale ended on the terminal; the bank's decision takes precedence. */
export const saleEndReason = z.enum([
  'completed',
  'customer_cancelled',
  'staff_cancelled',
  'no_card',
  /** For a refund: no staff member authorised it in time. */
  'expired',
  'declined',
  'card_refused',
  'not_authorised',
  'reader_not_available',
  'interrupted',
  'failed',
  /** A reader that authorises by itself has no record of the sale: whether the card was charged is unknown. */
  'outcome_unknown',
]);

export const reportSaleProgress = contract({
  name: 'reportSaleProgress',
  method: 'POST',
  path: '/device/v1/terminal-sales/{saleId}/progress',
  authentication: ['deviceToken'],
  summary: 'Report the progress of a sale started over the API',
  description: 'A report older than the last one, or after the end of the sale, changes nothing.',
  tag: 'Commands',
  params: z.object({ saleId }),
  body: z.object({
    /** Incremented with every report about this sale; by up to a million when the terminal has restarted. */
    sequence: z.int().min(1).max(1_000_000_000_000),
    report: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('stage'), stage: saleProgressStage }),
      z.object({ kind: z.literal('ended'), reason: saleEndReason }),
    ]),
    /** The tag of the language that the customer chose at the terminal: of the sale from then on, also of its receipt. */
    language: oneLine(35).optional(),
  }),
  responses: { 200: json(z.object({ isOver: z.boolean() })) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/** A failure can be followed by a success, when staff print it again, and never the other way round. */
export const reportReceiptPrinted = contract({
  name: 'reportReceiptPrinted',
  method: 'POST',
  path: '/device/v1/terminal-sales/{saleId}/printed',
  authentication: ['deviceToken'],
  summary: 'Report whether the receipt of a sale started over the API was printed',
  description: 'Only for a sale whose caller asked for it. Safe to repeat; once it was printed, that stays.',
  tag: 'Commands',
  params: z.object({ saleId }),
  body: z.object({ printed: z.boolean() }),
  responses: { 200: json(z.object({ printed: z.boolean() })) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

export const announceReaderStart = contract({
  name: 'announceReaderStart',
  method: 'POST',
  path: '/device/v1/terminal-sales/{saleId}/at-reader',
  authentication: ['deviceToken'],
  summary: 'Request permission to start a reader that authorises by itself',
  description:
    'Required before such a reader is started for a sale started over the API, because it charges without the service. Start the reader only if `proceed` is true. From then on only the terminal ends the sale: a cancellation or expiry requests the terminal to end it. Safe to repeat.',
  tag: 'Commands',
  params: z.object({ saleId }),
  responses: { 200: json(z.object({ proceed: z.boolean() })) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/** What a terminal needs beside a reader: for those who look after many of them. It delays no report and starts none. */
export const terminalHealth = z.object({
  /** The configuration that it uses; null before the first. */
  configurationVersion: machineWord(100).nullable(),
  printer: z.enum(['none', 'checking', 'ready', 'out_of_paper', 'cover_open', 'not_reachable', 'error']),
  waitingReports: z.int().min(0),
  clockAheadMs: z.int().nullable(),
  problems: z
    .array(
      z.enum([
        'disk_full',
        'storage_rebuilt',
        'entries_refused',
        'entries_damaged',
        'reports_refused',
        'reports_of_another_business',
      ]),
    )
    .max(10),
});
export type TerminalHealth = z.infer<typeof terminalHealth>;

/** A terminal's status, reported at every change and every fifteen seconds. */
export const reportTerminalStatus = contract({
  name: 'reportTerminalStatus',
  method: 'POST',
  path: '/device/v1/status',
  authentication: ['deviceToken'],
  summary: 'Report whether this terminal is ready for a sale',
  tag: 'Commands',
  body: z.object({
    appVersion: machineWord(40),
    /** Names this launch of the terminal's program in its log and in the service's. */
    launchCode: supportCode.nullable().default(null),
    /** Its current use other than sales started over the API; null if it is free. */
    activity: terminalActivity.nullable(),
    reader: z.object({
      connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']),
      batteryPercent: z.int().min(0).max(100).nullable(),
      attention: oneLine(200).nullable(),
    }),
    health: terminalHealth.nullable().default(null),
  }),
  responses: { 200: json(z.object({ serverTime: timestamp, serviceVersion: z.string().nullable().default(null) })) },
  origin: 'project',
});

import { z } from 'zod';
import { cardScheme } from '../card-schemes.ts';
import { amountMinorUpTo, currencyCode } from '../money.ts';
import { id, timestamp } from './contract.ts';
import { saleId } from './device-v1/sales.ts';
import { receiptReference } from './receipts.ts';
import { terminalSaleReason } from './terminal-sale-reasons.ts';
import { machineWord, oneLine } from './text.ts';

/** As the terminal names itself when it is enrolled. */
export const serial = machineWord(100).meta({ example: 'FL-0001' });
const ofTerminal = serial.meta({ description: 'The serial number of the terminal', example: 'FL-0001' });
const saleType = z.enum(['sale', 'refund']).meta({
  description: '`sale`: the customer pays. `refund`: an earlier sale is voided or refunded to its card',
});
const saleMode = z.enum(['any', 'card', 'bitcoin']).meta({
  description: 'How the customer may pay: by card, in bitcoin, or by either. It has no effect on a refund',
});

export const terminalSaleStatus = z.enum([
  'PENDING',
  'PROCESSING',
  'COMPLETE',
  'ERROR',
  'CANCELLED',
  'CANCELLED_REMOTE',
  'TIMED_OUT',
]);
export type TerminalSaleStatus = z.infer<typeof terminalSaleStatus>;

const card = z
  .object({
    scheme: cardScheme.nullable(),
    lastFour: z.string().nullable(),
    entryMode: z.string().nullable(),
    applicationId: z.string().nullable(),
    authorisationCode: z.string().nullable(),
    invoiceNumber: z.string(),
    paymentId: id('pay'),
    declineMessage: z.string().nullable(),
  })
  .meta({ description: 'Set once the authorisation was requested from the bank' });

const bitcoin = z
  .object({
    satsAmount: z.int().meta({ description: 'The amount to pay, in satoshis' }),
    rate: z.string().meta({ description: 'The price of one bitcoin from which the amount was computed' }),
    receivedSats: z.int().meta({ description: 'Confirmed' }),
    processingSats: z.int().meta({ description: 'Seen, not confirmed yet' }),
    network: z.enum(['lightning', 'onchain']).nullable(),
    txIds: z.array(z.string()).meta({ description: 'The transactions; over Lightning the payment hash' }),
    invoiceNumber: z.string().nullable(),
    paymentId: id('pay').nullable(),
  })
  .meta({ description: 'Set once the amount was requested in bitcoin' });

const refund = z.object({ refundId: id('ref'), message: z.string().nullable() }).meta({
  description: 'Of a refund, once a staff member has authorised it; `card` is then that of the original sale',
});

const idExample = '019a8f3e6b7c7d2e8a1b2c3d4e5f6071';
const paidSale = {
  saleId: `sale_${idExample}`,
  status: 'COMPLETE',
  statusReason: 'completed',
  sequence: 6,
  serial: 'FL-0001',
  type: 'sale',
  mode: 'any',
  rail: 'card',
  amountInCents: 1250,
  currency: 'GBP',
  reference: 'order-1042',
  metadata: {
    card: {
      scheme: 'Visa',
      lastFour: '0821',
      entryMode: 'chip',
      applicationId: 'A0000000031010',
      authorisationCode: '123456',
      invoiceNumber: 'INV-000042',
      paymentId: `pay_${idExample}`,
      declineMessage: null,
    },
  },
  receipt: { url: 'https://pay.example/r/5pVhGfWq8nCkY2mTzRb7Lx' },
  printed: true,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:21.000Z',
} as const;
const untouched = { rail: null, metadata: {}, receipt: null, printed: null, updatedAt: paidSale.createdAt } as const;
/** How a sale differs from one that was paid, in examples. */
export const startedExample = {
  ...untouched,
  status: 'PENDING',
  statusReason: 'awaiting_terminal',
  sequence: 1,
} as const;
export const cancelledExample = {
  ...untouched,
  status: 'CANCELLED',
  statusReason: 'cancelled_by_caller',
  sequence: 4,
} as const;

/** A sale that software started on a terminal, as callers see it. */
export const terminalSaleRecord = z
  .object({
    saleId,
    status: terminalSaleStatus.meta({
      description:
        'PENDING: not accepted by the terminal yet. PROCESSING: the terminal has it. COMPLETE: the customer paid, or the refund was made. ERROR: it failed. CANCELLED: by the caller. CANCELLED_REMOTE: on the terminal. TIMED_OUT: no card was read or no PIN was typed within a minute, or the sale was not finished within five minutes.',
    }),
    statusReason: terminalSaleReason,
    sequence: z.int().min(1).meta({
      description:
        'Incremented with every change: of two versions of this sale, the one with the higher sequence is newer. Unrelated to other sales and to the sequence numbers of streams and webhooks.',
    }),
    serial: ofTerminal,
    type: saleType,
    mode: saleMode,
    rail: z
      .enum(['card', 'bitcoin'])
      .nullable()
      .meta({ description: 'What it was paid with; null until that is known' }),
    amountInCents: z.int(),
    currency: z.string(),
    reference: z.string().nullable(),
    metadata: z.object({ card: card.optional(), bitcoin: bitcoin.optional(), refund: refund.optional() }),
    receipt: receiptReference
      .default(null)
      .meta({ description: 'The receipt for the customer, once the sale or refund is complete; null until then' }),
    printed: z.boolean().nullable().default(null).meta({
      description:
        'Whether the terminal printed the receipt that `shouldPrint` asked for: false without a printer, or if it failed, until staff print it; null while that is not known, and without `shouldPrint`. It can follow after the end of the sale',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ApiTerminalSale', example: paidSale });
export type TerminalSaleRecord = z.infer<typeof terminalSaleRecord>;

/** What every browser can write amounts in; a tag that only looks like one is an error there. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** Amounts have twelve digits on the networks of cards (ISO 8583, field 4). */
const maxAtReaderMinor = 999_999_999_999;

/** A sale or refund that software requests from a terminal. */
export const newTerminalSale = z
  .object({
    serial: ofTerminal,
    amountInCents: amountMinorUpTo(
      maxAtReaderMinor,
      `must be at most ${maxAtReaderMinor}: card readers take amounts of twelve digits`,
    ),
    currency: currencyCode,
    mode: saleMode.default('any'),
    type: saleType.default('sale'),
    shouldPrint: z.boolean().default(false).meta({
      description: 'Whether the terminal prints the receipt on its printer; `printed` in the sale says whether it did',
    }),
    reference: oneLine(100).optional().meta({ description: 'The caller’s own name for it, returned as it is' }),
    language: z.string().max(35).refine(isLanguageTag, { error: 'must be a language tag such as en-GB' }).optional(),
    originalSaleId: saleId.optional().meta({ description: 'Needed for a refund, and only there: the sale to refund' }),
  })
  .superRefine(({ type, originalSaleId }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['originalSaleId'], message });
    if (type === 'refund' && originalSaleId === undefined) refuse('is required for a refund');
    if (type === 'sale' && originalSaleId !== undefined) refuse('is for refunds only');
  });
export type NewTerminalSale = z.output<typeof newTerminalSale>;

/** Why a terminal cannot accept another sale. */
export const terminalActivity = z.enum(['sale', 'refund', 'awaiting_bank', 'awaiting_bitcoin', 'staff_work']);
export type TerminalActivity = z.infer<typeof terminalActivity>;

export const terminalUse = z
  .object({
    doing: terminalActivity.meta({
      description:
        '`sale`: a customer is at the card reader; try again in a minute. `refund`: a void or refund awaits a staff member or is in progress. `awaiting_bank`: the bank has not confirmed a card payment or refund, and the service polls it; after ten minutes a manager of the business may record its outcome. Use another terminal meanwhile, and do not take that payment again. `awaiting_bitcoin`: a customer is paying in bitcoin. `staff_work`: staff are using the terminal.',
    }),
    startedBy: z.enum(['software', 'staff']).meta({ description: 'Whether it was started over the API or keyed in' }),
    since: timestamp,
    saleId: saleId.nullable().meta({ description: 'The sale in progress; the terminal is free when it ends' }),
    statusReason: terminalSaleReason.nullable(),
  })
  .meta({
    description: 'Why the terminal is busy',
    example: {
      doing: 'awaiting_bank',
      startedBy: 'software',
      since: paidSale.createdAt,
      saleId: paidSale.saleId,
      statusReason: 'unknown_outcome',
    },
  });
export type TerminalUse = z.infer<typeof terminalUse>;

/**
 * Whether a sale can be started now, and if not, why: so that an unreachable terminal is distinguished from a slow
 * customer.
 */
export const readiness = z.object({
  online: z.boolean(),
  lastSeenAt: timestamp.nullable(),
  readyForSale: z.boolean(),
  whyNot: z
    .enum(['not_enrolled', 'terminal_unreachable', 'reader_not_connected', 'reader_needs_attention', 'terminal_busy'])
    .nullable(),
  busy: terminalUse.nullable(),
  reader: z
    .object({
      connection: z.enum(['searching', 'connecting', 'ready', 'busy', 'lost', 'incompatible']).meta({
        description:
          '`searching`: no reader was found; `connecting`: one was found and is being prepared; `ready`: it can take a card; `busy`: it is working; `lost`: it was connected and no longer answers; `incompatible`: this terminal cannot use it',
      }),
      batteryPercent: z.number().nullable(),
      attention: z.string().nullable(),
    })
    .nullable()
    .meta({
      description: 'As the terminal last reported',
      example: { connection: 'ready', batteryPercent: 80, attention: null },
    }),
  appVersion: z.string().nullable(),
});
export type Readiness = z.infer<typeof readiness>;

export const startErrors = {
  400: ['currency_differs'],
  404: ['terminal_not_found', 'original_sale_not_found'],
  409: [
    'terminal_busy',
    'bitcoin_not_available',
    'amount_out_of_range',
    'rate_unavailable',
    'sale_took_no_money',
    'payment_already_cancelled',
    'not_a_card_payment',
    'refund_exceeds_payment',
    'refund_in_progress',
    'payment_settling',
    'payment_not_settled',
    'payment_outcome_unknown',
    'sale_not_refundable',
  ],
} as const;

export const startWords =
  'The sale is shown on the terminal as soon as it is connected, within five minutes. Read its progress with the sale’s id; `sequence` is higher in a newer version of it. If a call receives no response, retry it with the same Idempotency-Key: no second sale is started, and the original response is returned.';
export const cancelWords =
  'A sale is cancelled unless its authorisation has been requested from the bank: until then its status becomes CANCELLED and no card is charged. After that the card payment determines the outcome, and the response contains the current status: PROCESSING, or the one it ended with. With `unknown_outcome`, a card sale ends as ERROR with `bank_timeout`: the terminal is free, and what the bank approves later is returned to the card automatically. A sale whose reader authorises by itself stays PROCESSING with `cancel_requested` until the terminal reports its end. The call may be repeated without an Idempotency-Key; with the key of an earlier call it returns that call’s response, with the sale as it was then.';

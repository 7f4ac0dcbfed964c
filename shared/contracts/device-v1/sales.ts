import { z } from 'zod';
import { cardScheme } from '../../card-schemes.ts';
import { amountMinor, currencyCode } from '../../money.ts';
import { paymentStatus, refundRecord } from '../api-v1/refunds.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

/** Made by the terminal and stored there before anything is sent. */
export const saleId = id('sale');

/** Why a terminal's sale was reversed after the bank may have approved it: the money is returned without a staff check. */
export const reversalReason = z.enum(['card_refused', 'customer_cancelled', 'partial_approval', 'not_completed']);
export type ReversalReason = z.infer<typeof reversalReason>;

/** How far the reversal of a sale is. */
export const saleReversal = z.object({
  reason: reversalReason,
  status: z.enum([
    /** The outcome of the authorisation is not known yet; an approval is reversed as soon as it is. */
    'awaiting_outcome',
    /** The bank took no money: there is nothing to reverse. */
    'not_needed',
    /** A void is requested, or about to be; its outcome is not known yet. */
    'void_pending',
    'voided',
    /** Too late to void: the payment is being settled, and is refunded in full as soon as it is. */
    'awaiting_settlement',
    /** A full refund is requested, or about to be; its outcome is not known yet. */
    'refund_pending',
    'refunded',
    /** The gateway refused, or the obligation cannot be met: the customer pays until a person returns the money. */
    'declined',
  ]),
});
export type SaleReversal = z.infer<typeof saleReversal>;

/** Why money that was taken can be neither voided nor refunded now, and when to look again (null: not by waiting). */
export const saleBlock = z.object({
  reason: z.enum(['payment_settling', 'settlement_rejected', 'refund_in_progress']),
  retryAfter: timestamp.nullable(),
});
export type SaleBlock = z.infer<typeof saleBlock>;

/** A void or refund of a sale: who asked for it, when, and whether the money went back. */
export const saleReturn = z.object({
  kind: refundRecord.shape.kind.exclude(['BITCOIN']),
  status: refundRecord.shape.status.extract(['pending', 'approved']),
  amountInCents: z.int(),
  source: refundRecord.shape.source,
  /** The staff member who authorised it; null where nobody had to. */
  staffName: z.string().nullable(),
  createdAt: timestamp,
});
export type SaleReturn = z.infer<typeof saleReturn>;

/** A sale as a terminal shows it: what happened, and what may be done with it now. */
export const saleRecord = z
  .object({
    saleId,
    paymentId: id('pay').nullable(),
    invoiceNumber: z.string(),
    amountInCents: z.int(),
    currency: z.string(),
    status: paymentStatus,
    refundedInCents: z.int(),
    /** Held by refunds whose outcome is not known yet. */
    pendingInCents: z.int(),
    /** Voids and refunds that are done or not decided yet, oldest first. */
    returns: z.array(saleReturn).default([]),
    remainingInCents: z.int(),
    /** The one thing that returns the money now: void before settlement, refund after it. */
    action: z.enum(['void', 'refund', 'none']),
    /** What was paid with. */
    method: z.enum(['card', 'lightning', 'onchain']).default('card'),
    /** What was received; null for cards. */
    bitcoin: z.object({ amountSats: z.int(), txId: z.string() }).nullable().default(null),
    /** Set where `action` is none although there is money left to return. */
    blocked: saleBlock.nullable().default(null),
    cardScheme: cardScheme.nullable(),
    cardLastFour: z.string().nullable(),
    entryMode: z.string().nullable(),
    authorisationCode: z.string().nullable(),
    /** `reader`: the terminal's reader had its own processor authorise it, and voids or refunds it there, too. */
    authorisedBy: z.enum(['host', 'reader']).default('host'),
    /** By which the reader's processor knows the sale; null where the service had it authorised. */
    processorReference: z.string().nullable().default(null),
    /** The bank's words for a refusal. */
    declineMessage: z.string().nullable(),
    /** Set once the sale is reversed: whatever the bank approved of it is returned, so it never counts as sold. */
    reversal: saleReversal.nullable().default(null),
    takenAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'TerminalSale' });
export type SaleRecord = z.infer<typeof saleRecord>;

const lastFour = z.string().regex(/^\d{4}$/, { error: 'must be four digits' });

/**
 * Asks the bank, once per sale however often it is called: the first call sends, every other one returns what became
 * of it. 200 with `pending` means the outcome is not known yet; ask again with `getSale`.
 */
export const authoriseSale = contract({
  name: 'authoriseSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/authorise',
  authentication: ['deviceToken'],
  summary: 'Authorise a card-present sale',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z.object({
    amountInCents: amountMinor,
    currency: currencyCode,
    startedAt: timestamp,
    card: z.object({
      encryptedBlock: z.base64().max(4096),
      keySerialNumber: z.string().regex(/^[0-9A-Fa-f]{8,40}$/),
      entryMode: z.enum(['chip', 'contactless', 'swipe']),
      /** As the reader reads them: what is known of a card that the bank declines. */
      scheme: oneLine(40).optional(),
      lastFour: lastFour.optional(),
    }),
  }),
  responses: { 200: json(saleRecord) },
  errors: {
    400: ['currency_differs'],
    409: [
      'bitcoin_in_progress',
      'no_gateway_account',
      'sale_differs',
      'sale_ended',
      'sale_given_up',
      'sale_of_another_terminal',
    ],
  },
  origin: 'project',
});

export const getSale = contract({
  name: 'getSale',
  method: 'GET',
  path: '/device/v1/sales/{saleId}',
  authentication: ['deviceToken'],
  summary: 'What became of a sale',
  description:
    '404 means that the service does not know it. Where the authorisation may still be on its way, reverse the sale: that holds for one that arrives later, too.',
  tag: 'Sales',
  params: z.object({ saleId }),
  responses: { 200: json(saleRecord) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/**
 * The card refused after the bank had approved, or the sale ended with the approval unused: the authorisation is
 * reversed. Harmless to repeat. No staff check: no customer was shown a completed sale. 404: the service does not know the
 * sale, nothing was sent to the bank, and an authorisation that arrives later is not sent either.
 */
export const reverseSale = contract({
  name: 'reverseSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/reverse',
  authentication: ['deviceToken'],
  summary: 'Reverse a sale the reader did not complete',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z.object({ reason: reversalReason.exclude(['partial_approval', 'not_completed']) }),
  responses: { 200: json(saleRecord) },
  errors: { 404: ['sale_not_found'], 409: ['sale_completed'] },
  origin: 'project',
});

/** The terminal showed the customer an approved sale: from here on only a void or a refund gives the money back. */
export const completeSale = contract({
  name: 'completeSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/complete',
  authentication: ['deviceToken'],
  summary: 'Report that the reader completed an approved sale',
  tag: 'Sales',
  params: z.object({ saleId }),
  responses: { 200: json(saleRecord) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/**
 * A sale that the terminal's reader had its own processor approve: it is recorded as it happened, and never sent anywhere.
 * Harmless to repeat.
 */
export const recordSale = contract({
  name: 'recordSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/record',
  authentication: ['deviceToken'],
  summary: 'Record a sale that the reader authorised by itself',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z.object({
    amountInCents: amountMinor,
    currency: currencyCode,
    takenAt: timestamp,
    /** By which the reader's processor knows the sale. */
    processorReference: machineWord(100),
    authorisationCode: oneLine(40).or(z.literal('')),
    card: z.object({
      scheme: oneLine(40),
      lastFour,
      entryMode: z.enum(['chip', 'contactless', 'swipe']),
    }),
  }),
  responses: { 200: json(saleRecord) },
  errors: { 409: ['sale_differs'] },
  origin: 'project',
});

export const listSales = contract({
  name: 'listSales',
  method: 'GET',
  path: '/device/v1/sales',
  authentication: ['deviceToken'],
  summary: 'Recent sales of this business, newest first',
  tag: 'Sales',
  query: pageQuery('sales'),
  responses: { 200: json(listOf(saleRecord)) },
  origin: 'project',
});

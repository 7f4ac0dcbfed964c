import { z } from 'zod';
import { cardScheme } from '../../card-schemes.ts';
import { amountMinor, currencyCode } from '../../money.ts';
import { paymentStatus, refundRecord, staffReference } from '../api-v1/refunds.ts';
import { contract, id, timestamp } from '../contract.ts';
import { listOf, pageQuery } from '../lists.ts';
import { searchFacts, searchText } from '../payment-search.ts';
import { receiptReference } from '../receipts.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

/** Created by the terminal and stored there before anything is sent. */
export const saleId = id('sale');

/** Why a terminal's sale was reversed after the bank may have approved it: the money is returned without a staff check. */
export const reversalReason = z.enum([
  'card_refused',
  'customer_cancelled',
  /** The bank did not answer, and the sale was cancelled before its outcome was known. */
  'outcome_unknown',
  'partial_approval',
  'not_completed',
]);
export type ReversalReason = z.infer<typeof reversalReason>;

/** The progress of a sale's reversal. */
export const saleReversal = z.object({
  reason: reversalReason,
  status: z.enum([
    /** The authorisation's outcome is not known yet; an approval is reversed as soon as it is. */
    'awaiting_outcome',
    /** The bank took no money: there is nothing to reverse. */
    'not_needed',
    /** A void is requested, or about to be; its outcome is not known yet. */
    'void_pending',
    'voided',
    /** Too late to void: the payment is refunded in full as soon as it has settled. */
    'awaiting_settlement',
    /** A full refund is requested, or about to be; its outcome is not known yet. */
    'refund_pending',
    'refunded',
    /** The gateway declined it, or it cannot be carried out: the money has to be returned manually. */
    'declined',
  ]),
});
export type SaleReversal = z.infer<typeof saleReversal>;

/** Why captured money can be neither voided nor refunded now, and when to check again (null: waiting does not help). */
export const saleBlock = z.object({
  reason: z.enum(['payment_settling', 'settlement_rejected', 'refund_in_progress']),
  retryAfter: timestamp.nullable(),
});
export type SaleBlock = z.infer<typeof saleBlock>;

/** A void or refund of a sale: who requested it, when, and its outcome. */
export const saleReturn = z.object({
  kind: refundRecord.shape.kind.exclude(['BITCOIN']),
  status: refundRecord.shape.status.extract(['pending', 'approved']),
  amountInCents: z.int(),
  source: refundRecord.shape.source,
  /** The staff member who authorised it; null if no authorisation was required. */
  staffName: z.string().nullable(),
  staffNumber: z.string().nullable().default(null),
  /** The staff member who requested it, if a second one approved it; otherwise null. */
  requestedBy: staffReference.pick({ name: true, staffNumber: true }).nullable().default(null),
  /** The terminal where it was requested; null if it was requested elsewhere. */
  terminalName: z.string().nullable().default(null),
  gatewayReference: refundRecord.shape.gatewayReference.default(null),
  /** The receipt of this void or refund; null until its money is returned. */
  receipt: receiptReference.default(null),
  createdAt: timestamp,
  settledAt: refundRecord.shape.settledAt.default(null),
});
export type SaleReturn = z.infer<typeof saleReturn>;

/** A sale as a terminal shows it, with the operations available now. */
export const saleRecord = z
  .object({
    saleId,
    paymentId: id('pay').nullable(),
    invoiceNumber: z.string(),
    amountInCents: z.int(),
    /** The part of it that the customer added as a tip. */
    tipInCents: z.int().default(0),
    currency: z.string(),
    status: paymentStatus,
    refundedInCents: z.int(),
    /** Held by refunds whose outcome is not known yet. */
    pendingInCents: z.int(),
    /** Voids and refunds that succeeded or are pending, oldest first. */
    returns: z.array(saleReturn).default([]),
    remainingInCents: z.int(),
    /** The operation that returns the money now: void before settlement, refund after it. */
    action: z.enum(['void', 'refund', 'none']),
    /** The payment method. */
    method: z.enum(['card', 'lightning', 'onchain']).default('card'),
    /** The received amount; null for cards. */
    bitcoin: z.object({ amountSats: z.int(), txId: z.string() }).nullable().default(null),
    /** Set if `action` is none although money is left to return. */
    blocked: saleBlock.nullable().default(null),
    cardScheme: cardScheme.nullable(),
    cardLastFour: z.string().nullable(),
    entryMode: z.string().nullable(),
    authorisationCode: z.string().nullable(),
    /** `reader`: authorised by the reader's own processor, which also voids or refunds it. */
    authorisedBy: z.enum(['host', 'reader']).default('host'),
    /** The reader's processor's reference of the sale; null if the service authorised it. */
    processorReference: z.string().nullable().default(null),
    /** The bank's message for a decline. */
    declineMessage: z.string().nullable(),
    /** What staff, or the software that started it, call it. */
    reference: z.string().nullable().default(null),
    /** Set once the sale is reversed: any approved amount is returned, so it never counts as sold. */
    reversal: saleReversal.nullable().default(null),
    /** The terminal that took it. */
    terminalName: z.string().nullable().default(null),
    /** The receipt of the sale; null if it took no money. */
    receipt: receiptReference.default(null),
    takenAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'TerminalSale' });
export type SaleRecord = z.infer<typeof saleRecord>;

/** The application of the card that the reader used (AID: RID and PIX). */
const applicationId = z
  .string()
  .regex(/^[0-9A-F]{10,32}$/, { error: 'must be 10 to 32 hexadecimal digits' })
  .optional()
  .meta({ example: 'A0000000031010' });

/** The reader asks for a signature, and no staff are at the terminal who could take it. */
const signature = z.enum(['not_taken']).optional();

/** What staff noted of a sale that they keyed in: a note or a table number, as the business chose. */
export const keyedInReference = oneLine(40).optional().meta({ example: 'Table 12' });

/** The part of the amount that the customer added as a tip. */
const tipInCents = z
  .int({ error: 'must be a whole number of the smallest unit' })
  .min(0, { error: 'must not be negative' })
  .default(0);

/** A tip is at most as much as what was sold. */
function checkTip(body: { amountInCents: number; tipInCents: number }, context: z.RefinementCtx): void {
  if (body.tipInCents * 2 <= body.amountInCents) return;
  context.addIssue({ code: 'custom', path: ['tipInCents'], message: 'must be at most half of the amount' });
}

const lastFour = z.string().regex(/^\d{4}$/, { error: 'must be four digits' });

/**
 * Authorises a sale, once however often it is called: the first call sends, every other returns the outcome. 200 with
 * `pending`: the outcome is not known yet; call `getSale`.
 */
export const authoriseSale = contract({
  name: 'authoriseSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/authorise',
  authentication: ['deviceToken'],
  summary: 'Authorise a card-present sale',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z
    .object({
      amountInCents: amountMinor,
      tipInCents,
      currency: currencyCode,
      startedAt: timestamp,
      reference: keyedInReference,
      card: z.object({
        encryptedBlock: z.base64().max(4096),
        keySerialNumber: z.string().regex(/^[0-9A-Fa-f]{8,40}$/),
        entryMode: z.enum(['chip', 'contactless', 'swipe']),
        /** As the reader reads it: the known facts of a declined card. */
        scheme: oneLine(40).optional(),
        lastFour: lastFour.optional(),
        applicationId,
        signature,
      }),
    })
    .superRefine(checkTip),
  responses: { 200: json(saleRecord) },
  errors: {
    400: ['currency_differs'],
    409: [
      'bitcoin_in_progress',
      'no_gateway_account',
      'sale_differs',
      'sale_ended',
      'sale_reversed',
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
  summary: 'Read a sale',
  description:
    '404 means that the service has not received it. If the authorisation may still be in transit, reverse the sale: this also applies to one that arrives later.',
  tag: 'Sales',
  params: z.object({ saleId }),
  responses: { 200: json(saleRecord) },
  errors: { 404: ['sale_not_found'] },
  origin: 'project',
});

/**
 * The card declined after the bank had approved, or the sale ended with the approval unused: the authorisation is
 * reversed. Safe to repeat. No staff check: no customer was shown a completed sale. 404: the service has not received
 * the sale, nothing was sent to the bank, and an authorisation that arrives later is not sent either.
 */
export const reverseSale = contract({
  name: 'reverseSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/reverse',
  authentication: ['deviceToken'],
  summary: 'Reverse a sale the reader did not complete',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z.object({ reason: reversalReason.exclude(['partial_approval']) }),
  responses: { 200: json(saleRecord) },
  errors: { 404: ['sale_not_found'], 409: ['sale_completed'] },
  origin: 'project',
});

/** The terminal showed the customer an approved sale: from here on only a void or a refund returns the money. */
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

/** A sale approved by the reader's own processor: recorded as it happened, never sent. Safe to repeat. */
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
    tipInCents,
    currency: currencyCode,
    takenAt: timestamp,
    /** The reader that took it, so that its end of day can be compared; omitted by readers without a serial number. */
    readerSerial: machineWord(40).optional(),
    /** The reader's processor's reference of the sale. */
    processorReference: machineWord(100),
    authorisationCode: oneLine(40).or(z.literal('')),
    reference: keyedInReference,
    card: z.object({
      scheme: oneLine(40),
      /** Null where the reader does not tell them. */
      lastFour: lastFour.nullable(),
      entryMode: z.enum(['chip', 'contactless', 'swipe']),
      applicationId,
      signature,
    }),
  }),
  responses: { 200: json(saleRecord) },
  errors: { 409: ['sale_differs'] },
  origin: 'project',
});

/**
 * The reader that authorises by itself no longer knows whether it charged this sale: it is listed as pending until a
 * person decides on evidence, or until the reader's approval is recorded after all. Safe to repeat.
 */
export const reportUnknownSale = contract({
  name: 'reportUnknownSale',
  method: 'POST',
  path: '/device/v1/sales/{saleId}/unknown',
  authentication: ['deviceToken'],
  summary: 'Report a sale whose outcome the reader does not know',
  tag: 'Sales',
  params: z.object({ saleId }),
  body: z
    .object({ amountInCents: amountMinor, tipInCents, currency: currencyCode, reference: keyedInReference })
    .superRefine(checkTip),
  responses: { 200: json(saleRecord) },
  errors: { 409: ['sale_differs'] },
  origin: 'project',
});

export const listSales = contract({
  name: 'listSales',
  method: 'GET',
  path: '/device/v1/sales',
  authentication: ['deviceToken'],
  summary: 'Recent sales of this business, newest first, and find one',
  description:
    'Every sale at a terminal of the business, whether or not it took money. With `q`, a call reads a limited number of payments: `nextCursor` continues after an incomplete page.',
  tag: 'Sales',
  query: pageQuery('sales').extend({ q: searchText('a sale') }),
  responses: {
    200: json(
      listOf(saleRecord).extend({
        searchedBackTo: searchFacts.searchedBackTo.default(null),
        searchedFor: searchFacts.searchedFor.default(null),
      }),
    ),
  },
  origin: 'project',
});

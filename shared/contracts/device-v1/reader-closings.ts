import { z } from 'zod';
import { currencyCode } from '../../money.ts';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';

const wholeNumber = z.int().min(0);

/** What a reader took and returned since its last end of day, by its own count. */
export const readerTotals = z.object({
  totalInCents: wholeNumber.meta({
    description: 'What was taken less what was returned, without its sign: readers do not send it',
  }),
  receipts: z
    .object({ first: machineWord(20), last: machineWord(20) })
    .nullable()
    .meta({ description: 'The first and last receipt; null where the reader does not tell them, or made none' }),
  cardTypes: z.array(z.object({ name: oneLine(40), count: wholeNumber, amountInCents: wholeNumber })).max(100),
});

/** How a reader's totals compare with the records of the sales, voids and refunds that it made. */
export const readerComparison = z.enum([
  'agrees',
  'differs',
  /** No earlier end of day of this reader is recorded, so it is not known when the one that it closed began. */
  'first',
  /** They agree only since an earlier attempt, whose totals were never received: the reader had closed its day then. */
  'closed_before',
  /** The reader's totals were not received. */
  'not_received',
]);
export type ReaderComparison = z.infer<typeof readerComparison>;

export const readerClosing = z.object({
  closingId: id('rcl'),
  comparison: readerComparison,
  currency: z.string(),
  totalInCents: z.int().nullable().meta({ description: 'By the reader; null if its totals were not received' }),
  recordedInCents: z
    .int()
    .nullable()
    .meta({ description: 'By the records; null if there was nothing to compare with' }),
  recordedCount: z.int().nullable().meta({ description: 'The sales, voids and refunds of recordedInCents' }),
});
export type ReaderClosing = z.infer<typeof readerClosing>;

/**
 * An end of day of a reader that authorises by itself, recorded once however often it is sent. The terminal has sent its
 * sales, voids and refunds before it. A sale that is recorded later is compared again.
 */
export const recordReaderClosing = contract({
  name: 'recordReaderClosing',
  method: 'POST',
  path: '/device/v1/reader-closings/{closingId}/record',
  authentication: ['deviceToken'],
  summary: 'Record the end of a reader’s day',
  tag: 'Sales',
  params: z.object({ closingId: id('rcl') }),
  body: z.object({
    readerSerial: machineWord(40),
    closedAt: timestamp.meta({ description: 'When the reader was asked: what it did later is part of the next day' }),
    currency: currencyCode,
    isConfirmed: z.boolean().meta({ description: 'False if it is not known whether the reader closed its day' }),
    totals: readerTotals.nullable().meta({ description: 'Null if they were not received' }),
  }),
  responses: { 200: json(readerClosing) },
  errors: { 409: ['closing_differs'] },
  origin: 'project',
});

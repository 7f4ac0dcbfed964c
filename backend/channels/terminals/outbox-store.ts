import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, updateBy } from '../../foundation/database/statements.ts';

/** Records when a terminal was first enrolled with a key. */
export const insertEnrolment = insertUnlessTaken('enrolments');

/** The enrolment of a terminal with this key, in this business. */
export const enrolmentWithKey = selectBy('enrolments', 'terminalId', 'publicKey', 'businessId');

/**
 * The machine with this key; undefined if it was never enrolled. Query it before enrolling again: enrolment times do
 * not show which was first, because clocks of processes differ.
 */
export const machineWithKey = statement<{ businessId: string; publicKey: string }, { machineId: string }>(
  ({ db }, arg) =>
    db
      .selectFrom('enrolments')
      .innerJoin('terminals', 'terminals.id', 'enrolments.terminalId')
      .select('terminals.machineId')
      .where('enrolments.publicKey', '=', arg('publicKey'))
      .where('enrolments.businessId', '=', arg('businessId'))
      .orderBy('enrolments.enrolledAt')
      .limit(1),
);

export type EntrySale = {
  readonly paymentId: string;
  readonly invoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly takenAt: Instant | null;
};

export const saleOf = statement<{ businessId: string; paymentId: string }, EntrySale>(({ db }, arg) =>
  db
    .selectFrom('payments')
    .select(['id as paymentId', 'invoiceNumber', 'amountMinor', 'currency', 'takenAt'])
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('paymentId')),
);

export const entryTaken = statement<{ terminalId: string; entryId: string }, { entryId: string }>(({ db }, arg) =>
  db
    .selectFrom('deviceEntries')
    .select('entryId')
    .where('terminalId', '=', arg('terminalId'))
    .where('entryId', '=', arg('entryId')),
);

/** The entry of an enrolment with this sequence. */
export const entryNumbered = statement<{ terminalId: string; sequence: number }, { entryId: string }>(({ db }, arg) =>
  db
    .selectFrom('deviceEntries')
    .select('entryId')
    .where('terminalId', '=', arg('terminalId'))
    .where('sequence', '=', arg('sequence'))
    .limit(sql.lit(1)),
);

/** The number of entries accepted from one machine since then, under any enrolment; counts up to `most`. */
export const entriesTaken = statement<{ publicKey: string; from: Instant; most: number }, { taken: number }>(
  ({ db, isPostgres }, arg) => {
    const recent = db
      .selectFrom('deviceEntries')
      .innerJoin('enrolments', 'enrolments.terminalId', 'deviceEntries.terminalId')
      .select('deviceEntries.entryId')
      .where('enrolments.publicKey', '=', arg('publicKey'))
      .where('deviceEntries.takenAt', '>', arg('from'))
      .limit(rowLimit(arg('most')));
    return db
      .selectFrom(recent.as('recent'))
      .select(eb => eb.cast<number>(eb.fn.countAll(), isPostgres ? 'bigint' : 'integer').as('taken'));
  },
);

/** Changes nothing if the entry was accepted before. */
export const insertEntry = insertUnlessTaken('deviceEntries', 'terminalId', 'entryId');

export const setOutcome = updateBy('deviceEntries', { set: ['outcome'], by: ['terminalId', 'entryId'] });

/** The number of received entries of an enrolment, and their highest sequence. */
export const entriesReceived = statement<{ terminalId: string }, { received: number; highest: number }>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('deviceEntries')
      .select(eb => {
        const integer = isPostgres ? 'bigint' : 'integer';
        return [
          eb.cast<number>(eb.fn.count('sequence').distinct(), integer).as('received'),
          eb.cast<number>(eb.fn.coalesce(eb.fn.max('sequence'), eb.lit(0)), integer).as('highest'),
        ];
      })
      .where('terminalId', '=', arg('terminalId')),
);

import type { NotificationKind } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { type SqlBool, sql } from 'kysely';
import { columnsOf, rowLimit, rowsOf, statement } from '../../foundation/database/database.ts';
import {
  insertInto,
  insertUnlessTaken,
  rowFor,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { BusinessRow } from '../../people/businesses/rows.ts';
import type { EmailRow, RecipientRow, TerminalSilenceRow } from './rows.ts';

/** Changes nothing if the business has this address. */
export const insertRecipient = insertUnlessTaken('notificationRecipients', 'businessId', 'emailKey');

export const recipientsOfBusiness = statement<{ businessId: string }, RecipientRow>(({ db }, arg) =>
  db
    .selectFrom('notificationRecipients')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .orderBy('id')
    .limit(sql.lit(1_000)),
);

export const recipientPage = statement<{ businessId: string; before: string; limit: number }, RecipientRow>(
  ({ db }, arg) =>
    db
      .selectFrom('notificationRecipients')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

export const recipientForUpdate = selectForUpdateBy('notificationRecipients', 'businessId', 'id');

export const changeRecipient = updateBy('notificationRecipients', {
  set: ['kindsJson', 'reportedUntil'],
  by: ['id'],
});

export const deleteRecipient = statement<{ businessId: string; id: string }, RecipientRow>(({ db }, arg) =>
  db
    .deleteFrom('notificationRecipients')
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .returningAll(),
);

const isFor = (kind: NotificationKind) => sql<SqlBool>`"kindsJson" like ${sql.lit(`%"${kind}"%`)}`;

/** Those with a recipient who is told of silent terminals. */
export const businessesForSilences = statement<Record<string, never>, Pick<RecipientRow, 'businessId'>>(({ db }) =>
  db.selectFrom('notificationRecipients').select('businessId').distinct().where(isFor('terminal_silent')),
);

/** Changes nothing if recipients were told of this silence, or of a later one. */
export const recordSilence = statement<TerminalSilenceRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalSilences')
    .values(rowFor(arg, 'terminalSilences'))
    .onConflict(conflict =>
      conflict
        .column('terminalId')
        .doUpdateSet({ since: arg('since') })
        .whereRef('terminalSilences.since', '<', 'excluded.since'),
    ),
);

/** Those with a recipient of daily reports, and up to when all of them were told. */
export const businessesForReports = statement<
  Record<string, never>,
  Pick<RecipientRow, 'businessId' | 'reportedUntil'> & Pick<BusinessRow, 'timeZone'>
>(({ db }) =>
  db
    .selectFrom('notificationRecipients')
    .innerJoin('businesses', 'businesses.id', 'notificationRecipients.businessId')
    .select(['businessId', 'timeZone', sql<Instant>`min("reportedUntil")`.as('reportedUntil')])
    .where(isFor('daily_report'))
    .groupBy(['businessId', 'timeZone']),
);

/** The recipients of a business who wait for the report of a day, each once. */
export const takeReports = statement<{ businessId: string; endedAt: Instant }, Pick<RecipientRow, 'email'>>(
  ({ db }, arg) =>
    db
      .updateTable('notificationRecipients')
      .set({ reportedUntil: arg('endedAt') })
      .where('businessId', '=', arg('businessId'))
      .where(isFor('daily_report'))
      .where('reportedUntil', '<', arg('endedAt'))
      .returning('email'),
);

export const insertEmail = insertInto('emails');

/** Claims due e-mails for the length of the lease. */
export const claimEmails = statement<{ now: Instant; nextAttemptAt: Instant; limit: number }, EmailRow>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('emails')
      .set({ nextAttemptAt: arg('nextAttemptAt'), attemptCount: sql<number>`"attemptCount" + 1`, isUnderWay: 1 })
      .where('id', 'in', query =>
        query
          .selectFrom('emails')
          .select('id')
          .where('nextAttemptAt', '<=', arg('now'))
          .orderBy('nextAttemptAt')
          .limit(rowLimit(arg('limit')))
          .$if(isPostgres, due => due.forUpdate().skipLocked()),
      )
      .returningAll(),
);

type EmailAttempt = Pick<EmailRow, 'id' | 'attemptCount'>;
export const emailAttemptColumns = { id: 'text', attemptCount: 'bigint' } as const;

/** Renews the leases of attempts that no other process has claimed since; returns their e-mails. */
export const renewEmails = statement<{ attemptsJson: string; nextAttemptAt: Instant }, { id: string }>(
  ({ db, isPostgres }, arg) =>
    db
      .updateTable('emails')
      .from(rowsOf<EmailAttempt>(isPostgres, arg('attemptsJson'), emailAttemptColumns).as('held'))
      .set({ nextAttemptAt: arg('nextAttemptAt') })
      .whereRef('emails.id', '=', 'held.id')
      .whereRef('emails.attemptCount', '=', 'held.attemptCount')
      .where('isUnderWay', '=', 1)
      .returning('emails.id as id'),
);

/** Changes nothing if another process has claimed the e-mail since. */
export const endEmailAttempt = statement<
  Pick<EmailRow, 'id' | 'attemptCount' | 'status' | 'nextAttemptAt' | 'lastError' | 'finishedAt'>,
  unknown
>(({ db }, arg) =>
  db
    .updateTable('emails')
    .set({ ...columnsOf(arg, ['status', 'nextAttemptAt', 'lastError', 'finishedAt']), isUnderWay: 0 })
    .where('id', '=', arg('id'))
    .where('attemptCount', '=', arg('attemptCount'))
    .where('isUnderWay', '=', 1),
);

export const deleteFinishedEmails = statement<{ before: Instant; limit: number }, unknown>(({ db }, arg) =>
  db.deleteFrom('emails').where('id', 'in', query =>
    query
      .selectFrom('emails')
      .select('id')
      .where('finishedAt', '<=', arg('before'))
      .orderBy('finishedAt')
      .limit(rowLimit(arg('limit'))),
  ),
);

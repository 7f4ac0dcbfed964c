import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { allColumnsOf, columnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { EmailRow, RecipientRow } from './rows.ts';

/** Changes nothing if the business has this address. */
export const insertRecipient = statement<RecipientRow, unknown>(({ db }, arg) =>
  db
    .insertInto('notificationRecipients')
    .values(allColumnsOf(arg, ['id', 'businessId', 'email', 'emailKey', 'createdAt']))
    .onConflict(conflict => conflict.columns(['businessId', 'emailKey']).doNothing()),
);

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

export const deleteRecipient = statement<{ businessId: string; id: string }, RecipientRow>(({ db }, arg) =>
  db
    .deleteFrom('notificationRecipients')
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .returningAll(),
);

export const insertEmail = statement<EmailRow, unknown>(({ db }, arg) =>
  db
    .insertInto('emails')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'recipient',
        'subject',
        'text',
        'status',
        'attemptCount',
        'isUnderWay',
        'nextAttemptAt',
        'lastError',
        'createdAt',
        'finishedAt',
      ]),
    ),
);

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

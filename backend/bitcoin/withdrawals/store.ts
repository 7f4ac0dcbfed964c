import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { claimDue, renewLeases } from '../../foundation/database/claim.ts';
import { columnsOf, oneOf, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, selectForUpdateBy } from '../../foundation/database/statements.ts';
import type { WithdrawalRow } from './rows.ts';

export const withdrawalById = selectBy('withdrawals', 'businessId', 'id');

export const withdrawalByRequest = selectBy('withdrawals', 'businessId', 'clientRequestId');

export const withdrawalPage = statement<{ businessId: string; before: string; limit: number }, WithdrawalRow>(
  ({ db }, arg) =>
    db
      .selectFrom('withdrawals')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

/** Those of any business with one of these ids or payment hashes. */
export const withdrawalsOf = statement<{ idsJson: string; paymentHashesJson: string }, WithdrawalRow>(
  ({ db, isPostgres }, arg) =>
    db
      .selectFrom('withdrawals')
      .selectAll()
      .where(({ or }) =>
        or([oneOf(isPostgres, 'id', arg('idsJson')), oneOf(isPostgres, 'paymentHash', arg('paymentHashesJson'))]),
      )
      .orderBy('id'),
);

export const withdrawalsCompletedSince = statement<{ backendId: string; since: Instant }, WithdrawalRow>(
  ({ db }, arg) =>
    db
      .selectFrom('withdrawals')
      .selectAll()
      .where('backendId', '=', arg('backendId'))
      .where('status', '=', 'completed')
      .where('finalAt', '>=', arg('since'))
      .orderBy('id'),
);

/** Locked until the transaction ends. */
export const withdrawalForUpdate = selectForUpdateBy('withdrawals', 'businessId', 'id');

/** Serialises the decisions about one node's withdrawals. */
export const lockBackend = statement<{ backendId: string }, { id: string }>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('bitcoinBackends')
    .select('id')
    .where('id', '=', arg('backendId'))
    .$if(isPostgres, query => query.forUpdate()),
);

/**
 * The amount that pending withdrawals may still take from a node's balance, fees included, and that was taken since the
 * balance was read.
 */
export const reservedAt = statement<
  { backendId: string; network: WithdrawalRow['network']; balanceReadAt: Instant },
  { sats: number | null }
>(({ db }, arg) =>
  db
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.sum<number>(sql<number>`"amountSats" + coalesce("maxFeeSats", 0)`).as('sats'))
    .where('backendId', '=', arg('backendId'))
    .where('network', '=', arg('network'))
    .where(({ or, eb }) => or([eb('finalAt', 'is', null), eb('finalAt', '>=', arg('balanceReadAt'))]))
    .where('status', '<>', 'failed'),
);

/** Inserts nothing if the invoice was used before. */
export const insertWithdrawal = insertUnlessTaken('withdrawals');

const outcomeColumns = ['status', 'failureReason', 'txId', 'preimage', 'feeSats', 'nextPollAt', 'finalAt'] as const;
export type OutcomeColumns = Pick<WithdrawalRow, (typeof outcomeColumns)[number]>;

/** Records the outcome of a pending withdrawal; final states never change. */
export const recordOutcome = statement<OutcomeColumns & { id: string }, WithdrawalRow>(({ db }, arg) =>
  db
    .updateTable('withdrawals')
    .set(columnsOf(arg, outcomeColumns))
    .where('id', '=', arg('id'))
    .where('finalAt', 'is', null)
    .returningAll(),
);

type Poll = Pick<WithdrawalRow, 'id' | 'nextPollAt' | 'polledAt' | 'polledForMs' | 'missingSince'>;
export const postponeWithdrawal = statement<Poll, unknown>(({ db }, arg) =>
  db
    .updateTable('withdrawals')
    .set(columnsOf(arg, ['nextPollAt', 'polledAt', 'polledForMs', 'missingSince']))
    .where('id', '=', arg('id'))
    .where('finalAt', 'is', null),
);

export const renewWithdrawalLeases = renewLeases('withdrawals', 'nextPollAt');

export const claimWithdrawals = claimDue('withdrawals', sql`"finalAt" is null`);

import type { Instant } from '@florin/shared/ports.ts';
import { sql } from 'kysely';
import { claimDue } from '../../foundation/database/claim.ts';
import { allColumnsOf, columnsOf, rowLimit, statement } from '../../foundation/database/database.ts';
import type { WithdrawalRow } from './rows.ts';

type Key = { businessId: string; id: string };

export const withdrawalById = statement<Key, WithdrawalRow>(({ db }, arg) =>
  db.selectFrom('withdrawals').selectAll().where('businessId', '=', arg('businessId')).where('id', '=', arg('id')),
);

export const withdrawalByRequest = statement<{ businessId: string; clientRequestId: string }, WithdrawalRow>(
  ({ db }, arg) =>
    db
      .selectFrom('withdrawals')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('clientRequestId', '=', arg('clientRequestId')),
);

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

/** Locked until the transaction ends. */
export const withdrawalForUpdate = statement<Key, WithdrawalRow>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('withdrawals')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .$if(isPostgres, query => query.forUpdate()),
);

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
export const insertWithdrawal = statement<WithdrawalRow, unknown>(({ db }, arg) =>
  db
    .insertInto('withdrawals')
    .values(
      allColumnsOf(arg, [
        'id',
        'businessId',
        'backendId',
        'network',
        'destination',
        'paymentHash',
        'amountSats',
        'maxFeeSats',
        'satsPerVbyte',
        'feeSats',
        'status',
        'failureReason',
        'txId',
        'preimage',
        'clientRequestId',
        'nextPollAt',
        'pollCount',
        'polledAt',
        'polledForMs',
        'sentAt',
        'chainHeight',
        'createdAt',
        'missingSince',
        'finalAt',
        'actorKind',
        'actorId',
      ]),
    )
    .onConflict(conflict => conflict.doNothing()),
);

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

export const claimWithdrawals = claimDue('withdrawals', sql`"finalAt" is null`);

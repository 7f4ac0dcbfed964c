import type { Instant } from '@florin/shared/ports.ts';
import { type RawBuilder, sql } from 'kysely';
import { type ArgumentOf, columnsOf, type Queries, rowLimit, statement } from '../../foundation/database/database.ts';
import {
  insertInto,
  insertUnlessTaken,
  rowFor,
  selectBy,
  selectForUpdateBy,
  updateBy,
} from '../../foundation/database/statements.ts';
import type { CheckedTerminal } from './lockout.ts';
import type { StaffNonceRow, StaffRow, TerminalLockoutsRow } from './rows.ts';

/** Queries over staff and their nonces. The calling flows decide which share a transaction. */

type StaffKey = { businessId: string; id: string };

/** Locked until the transaction ends: serialises checks of one staff member. */
export const staffForUpdate = selectForUpdateBy('staff', 'id', 'businessId');

export const staffByNumber = selectBy('staff', 'businessId', 'staffNumber');

export const insertStaff = insertUnlessTaken('staff', 'businessId', 'staffNumber');

export const updateLockout = updateBy('staff', { set: ['failedAttempts', 'lockoutRound', 'lockedUntil'], by: ['id'] });

export const updatePassword = updateBy('staff', {
  set: ['publicKey', 'salt', 'argon2Json', 'passwordIsTemporary'],
  by: ['id'],
});

export const updateStaffProfile = updateBy('staff', {
  set: ['name', 'mayRefundAndVoid', 'mayManageTerminals', 'perTransactionLimitMinor', 'dailyLimitMinor', 'disabledAt'],
  by: ['id'],
});

export const insertNonce = insertInto('staffNonces');

/** Consumes a nonce, once; changes nothing if it is expired, used, or another's. */
export const consumeNonce = statement<
  { nonce: string; businessId: string; staffId: string; terminalId: string; now: Instant },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('staffNonces')
    .set({ usedAt: arg('now') })
    .where('nonce', '=', arg('nonce'))
    .where('businessId', '=', arg('businessId'))
    .where('staffId', '=', arg('staffId'))
    .where('terminalId', '=', arg('terminalId'))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', arg('now')),
);

export const purgeNonces = statement<{ before: Instant }, unknown>(({ db }, arg) =>
  db
    .deleteFrom('staffNonces')
    .where('expiresAt', '<', arg('before'))
    .where(eb => eb.or([eb('approvableUntil', 'is', null), eb('approvableUntil', '<', arg('before'))])),
);

/** Not locked: the check locks the staff member who authorises, and one row alone cannot deadlock. */
export const staffRow = selectBy('staff', 'id', 'businessId');

/** Keeps a refused request, by the nonce it was signed with, for a second staff member to approve; null ends that. */
export const setApprovable = updateBy('staffNonces', { set: ['refusedSignature', 'approvableUntil'], by: ['nonce'] });

/** The refused request with this signature, while it may be approved. */
export const requestToApprove = statement<
  { nonce: string; businessId: string; staffId: string; terminalId: string; signature: string; now: Instant },
  StaffNonceRow
>(({ db }, arg) =>
  db
    .selectFrom('staffNonces')
    .selectAll()
    .where('nonce', '=', arg('nonce'))
    .where('businessId', '=', arg('businessId'))
    .where('terminalId', '=', arg('terminalId'))
    .where('staffId', '=', arg('staffId'))
    .where('refusedSignature', '=', arg('signature'))
    .where('approvableUntil', '>', arg('now')),
);

/** A staff member with their daily refund total: approved and pending refunds. */
export type StaffWithTotal = StaffRow & { readonly refundedMinor: number };
type Day = { from: Instant; to: Instant };

/** All refunds of the day, read from an index alone, less the few that returned nothing. */
function refundedOn<Args extends Day>({ isPostgres }: Queries, arg: ArgumentOf<Args>, staffId: RawBuilder<string>) {
  // The kinds and states as literals: a partial index cannot be used with a parameter.
  const sumOf = (restriction: RawBuilder<unknown>) => sql<number>`(select coalesce(sum("amountMinor"), 0) from "refunds"
    where "actorKind" = 'staff' and "actorId" = ${staffId}
      and "createdAt" >= ${arg('from')} and "createdAt" < ${arg('to')}
      and "kind" = 'REFUND_SALE' ${restriction})`;
  const total = sql`${sumOf(sql``)} - ${sumOf(sql`and "status" in ('declined', 'failed')`)}`;
  return sql<number>`cast(${total} as ${sql.raw(isPostgres ? 'bigint' : 'integer')})`;
}

function staffWithTotal<Args extends Day>(queries: Queries, arg: ArgumentOf<Args>) {
  const refunded = refundedOn(queries, arg, sql.ref('staff.id'));
  return queries.db.selectFrom('staff').selectAll('staff').select(refunded.as('refundedMinor'));
}

export const staffById = statement<StaffKey & Day, StaffWithTotal>((queries, arg) =>
  staffWithTotal(queries, arg).where('id', '=', arg('id')).where('businessId', '=', arg('businessId')),
);

export const staffPage = statement<{ businessId: string; before: string; limit: number } & Day, StaffWithTotal>(
  (queries, arg) =>
    staffWithTotal(queries, arg)
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit'))),
);

export const staffOfBusiness = statement<{ businessId: string } & Day, StaffWithTotal>((queries, arg) =>
  staffWithTotal(queries, arg).where('businessId', '=', arg('businessId')).orderBy('staffNumber'),
);

export const refundedBetween = statement<{ staffId: string } & Day, { totalMinor: number }>((queries, arg) =>
  queries.db.selectNoFrom(refundedOn(queries, arg, arg('staffId')).as('totalMinor')),
);

/** A terminal with the lockouts it caused: one query, because every check reads it. */
const checkedTerminal = ({ db }: Queries) =>
  db
    .selectFrom('terminals')
    .leftJoin('terminalLockouts', 'terminalLockouts.terminalId', 'terminals.id')
    .select(['terminals.id', 'terminals.name', 'terminalLockouts.lockouts', 'terminalLockouts.lockoutWindowEndsAt']);

export const terminalForCheck = statement<{ id: string }, CheckedTerminal>((queries, arg) =>
  checkedTerminal(queries).where('terminals.id', '=', arg('id')),
);

/** Undefined if it was removed. */
export const terminalOfBusiness = statement<{ businessId: string; id: string }, CheckedTerminal>((queries, arg) =>
  checkedTerminal(queries)
    .where('terminals.id', '=', arg('id'))
    .where('terminals.businessId', '=', arg('businessId'))
    .where('terminals.removedAt', 'is', null),
);

export const saveTerminalLockouts = statement<TerminalLockoutsRow, unknown>(({ db }, arg) =>
  db
    .insertInto('terminalLockouts')
    .values(rowFor(arg, 'terminalLockouts'))
    .onConflict(conflict =>
      conflict.column('terminalId').doUpdateSet(columnsOf(arg, ['lockouts', 'lockoutWindowEndsAt'])),
    ),
);

/** Wrong passwords of one staff member on one terminal in a period. */
export const failuresBetween = statement<
  { staffId: string; terminalId: string; from: Instant; to: Instant },
  { failures: number }
>(({ db, isPostgres }, arg) =>
  db
    .selectFrom('auditEntries')
    .select(eb => eb.cast<number>(eb.fn.countAll(), isPostgres ? 'bigint' : 'integer').as('failures'))
    .where('staffId', '=', arg('staffId'))
    // As a literal: a partial index cannot be used with a parameter.
    .where('reason', '=', sql.lit('invalid_signature'))
    .where('attemptedAt', '>', arg('from'))
    .where('attemptedAt', '<', arg('to'))
    .where('terminalId', '=', arg('terminalId')),
);

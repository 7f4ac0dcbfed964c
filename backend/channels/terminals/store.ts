import type { Instant } from '@florin/shared/ports.ts';
import { optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, selectBy, updateBy } from '../../foundation/database/statements.ts';
import type { TerminalRow } from './rows.ts';

export const terminalByTokenHash = selectBy('terminals', 'tokenHash');

export const terminalById = selectBy('terminals', 'businessId', 'id');

export const terminalByCodeHash = selectBy('terminals', 'enrolmentCodeHash');

export type TerminalList = {
  readonly businessId: string;
  readonly mode: string | null;
  readonly serial: string | null;
  readonly before: string;
  readonly limit: number;
};

const listOf = (enrolled: boolean | null) =>
  statement<TerminalList, TerminalRow>(({ db, isPostgres }, arg) => {
    const optional = optionalFilters(isPostgres);
    return db
      .selectFrom('terminals')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .where('removedAt', 'is', null)
      .where(optional.text('mode', '=', arg('mode')))
      .where(optional.text('serial', '=', arg('serial')))
      .$if(enrolled !== null, query => query.where('enrolledAt', enrolled ? 'is not' : 'is', null))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit')));
  });
/** Terminals that are not removed, newest first, before the terminal `before`; `waiting` ones are not enrolled yet. */
export const terminalsOfBusiness = { all: listOf(null), enrolled: listOf(true), waiting: listOf(false) };

export const insertTerminal = insertInto('terminals');

type Enrolment = {
  readonly enrolmentCodeHash: string;
  readonly serial: string;
  readonly publicKey: string;
  readonly tokenHash: string;
  readonly now: Instant;
};

export const setMachine = updateBy('terminals', { set: ['machineId'], by: ['id'] });

export const setMode = updateBy('terminals', { set: ['mode'], by: ['id'] });

export const setProfile = updateBy('terminals', { set: ['name', 'mode'], by: ['id'] });

/** Consumes the code: of two concurrent requests, one changes the row. */
export const enrolTerminal = statement<Enrolment, unknown>(({ db }, arg) =>
  db
    .updateTable('terminals')
    .set({
      serial: arg('serial'),
      publicKey: arg('publicKey'),
      tokenHash: arg('tokenHash'),
      enrolledAt: arg('now'),
      enrolmentCodeHash: null,
      enrolmentCodeExpiresAt: null,
    })
    .where('enrolmentCodeHash', '=', arg('enrolmentCodeHash'))
    .where('enrolmentCodeExpiresAt', '>', arg('now'))
    .where('removedAt', 'is', null),
);

export const removeTerminal = statement<{ businessId: string; id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminals')
    .set({ removedAt: arg('now'), tokenHash: null, enrolmentCodeHash: null, enrolmentCodeExpiresAt: null })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('removedAt', 'is', null),
);

export const recordTerminalSeen = statement<{ id: string; now: Instant }, unknown>(({ db }, arg) =>
  db
    .updateTable('terminals')
    .set({ lastSeenAt: arg('now') })
    .where('id', '=', arg('id')),
);

export const setEnrolmentCode = statement<
  { businessId: string; id: string; enrolmentCodeHash: string; enrolmentCodeExpiresAt: Instant },
  unknown
>(({ db }, arg) =>
  db
    .updateTable('terminals')
    .set({ enrolmentCodeHash: arg('enrolmentCodeHash'), enrolmentCodeExpiresAt: arg('enrolmentCodeExpiresAt') })
    .where('businessId', '=', arg('businessId'))
    .where('id', '=', arg('id'))
    .where('removedAt', 'is', null),
);

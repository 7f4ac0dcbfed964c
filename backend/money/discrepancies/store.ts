import type { DiscrepancyKind } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { columnsOf, optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertUnlessTaken, selectBy, updateBy } from '../../foundation/database/statements.ts';
import type { DiscrepancyRow } from './rows.ts';

/** Changes nothing if this evidence is already recorded. */
export const insertDiscrepancy = insertUnlessTaken('discrepancies', 'evidenceKey');

export const discrepancyById = selectBy('discrepancies', 'id', 'businessId');

export const openDiscrepancies = statement<{ paymentId: string }, DiscrepancyRow>(({ db }, arg) =>
  db
    .selectFrom('discrepancies')
    .selectAll()
    .where('paymentId', '=', arg('paymentId'))
    .where('resolvedAt', 'is', null)
    .orderBy('id'),
);

/** Changes nothing once it is resolved. */
export const closeDiscrepancy = statement<{ id: string; resolvedAt: Instant; resolutionJson: string }, DiscrepancyRow>(
  ({ db }, arg) =>
    db
      .updateTable('discrepancies')
      .set(columnsOf(arg, ['resolvedAt', 'resolutionJson']))
      .where('id', '=', arg('id'))
      .where('resolvedAt', 'is', null)
      .returningAll(),
);

/** The part of a contested amount that counts as returned from now on. */
export const recordReturned = updateBy('discrepancies', { set: ['returnedMinor'], by: ['id'] });

export type DiscrepancyList = {
  readonly businessId: string;
  readonly status: 'open' | 'resolved' | null;
  readonly kind: DiscrepancyKind | null;
  readonly paymentId: string | null;
  readonly before: string;
  readonly limit: number;
};

const listOf = (status: 'open' | 'resolved' | null) =>
  statement<Omit<DiscrepancyList, 'status'>, DiscrepancyRow>(({ db, isPostgres }, arg) => {
    const optional = optionalFilters(isPostgres);
    return db
      .selectFrom('discrepancies')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('id', '<', arg('before'))
      .where(optional.text('kind', '=', arg('kind')))
      .where(optional.text('paymentId', '=', arg('paymentId')))
      .$if(status === 'open', query => query.where('resolvedAt', 'is', null))
      .$if(status === 'resolved', query => query.where('resolvedAt', 'is not', null))
      .orderBy('id', 'desc')
      .limit(rowLimit(arg('limit')));
  });
export const discrepanciesOfBusiness = { all: listOf(null), open: listOf('open'), resolved: listOf('resolved') };

import { optionalFilters, rowLimit, statement } from '../../foundation/database/database.ts';
import { insertInto, selectBy } from '../../foundation/database/statements.ts';
import type { BitcoinClaimRow } from '../invoices/rows.ts';
import type { BitcoinReturnRow } from './rows.ts';

export const claimById = selectBy('bitcoinClaims', 'id');

export type ClaimList = {
  readonly businessId: string;
  readonly status: BitcoinClaimRow['status'] | null;
  readonly purpose: BitcoinClaimRow['purpose'] | null;
  readonly purposeId: string | null;
  readonly before: string;
  readonly limit: number;
};

export const claimsOfBusiness = statement<ClaimList, BitcoinClaimRow>(({ db, isPostgres }, arg) => {
  const optional = optionalFilters(isPostgres);
  return db
    .selectFrom('bitcoinClaims')
    .selectAll()
    .where('businessId', '=', arg('businessId'))
    .where('id', '<', arg('before'))
    .where(optional.text('status', '=', arg('status')))
    .where(optional.text('purpose', '=', arg('purpose')))
    .where(optional.text('purposeId', '=', arg('purposeId')))
    .orderBy('id', 'desc')
    .limit(rowLimit(arg('limit')));
});

/** Oldest first. */
export const returnsOfClaim = statement<{ claimId: string }, BitcoinReturnRow>(({ db }, arg) =>
  db.selectFrom('bitcoinReturns').selectAll().where('claimId', '=', arg('claimId')).orderBy('id'),
);

export const insertReturn = insertInto('bitcoinReturns');

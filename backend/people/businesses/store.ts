import { sql } from 'kysely';
import { columnsOf, statement } from '../../foundation/database/database.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import { insertInto, rowFor, selectBy, selectForUpdateBy } from '../../foundation/database/statements.ts';
import type { BusinessLogoRow, BusinessRow } from './rows.ts';

export const businessById = selectBy('businesses', 'id');

export const businessForUpdate = selectForUpdateBy('businesses', 'id');

export const allBusinesses = statement<Record<string, never>, BusinessRow>(({ db }) =>
  db.selectFrom('businesses').selectAll().orderBy('id'),
);

/** The columns that a business can change. */
const changeable = [
  'name',
  'addressLinesJson',
  'countryCode',
  'currency',
  'locale',
  'timeZone',
  'accentColour',
  'receiptFooter',
  'passwordProtectRefundsAndVoids',
  'quickAmountsJson',
  'confirmAboveMinor',
  'playsSounds',
  'saleReference',
  'tipPercentsJson',
  'takesCards',
  'takesWallets',
  'takesLightning',
  'takesOnChain',
] as const satisfies readonly (keyof BusinessRow)[];

export const insertBusiness = insertInto('businesses');

export const updateBusiness = statement<Pick<BusinessRow, 'id' | (typeof changeable)[number]>, unknown>(({ db }, arg) =>
  db.updateTable('businesses').set(columnsOf(arg, changeable)).where('id', '=', arg('id')),
);

/** A setting that an operator can switch on or off. */
export type BusinessSetting = 'passwordProtectRefundsAndVoids' | 'paymentLinksEnabled';

/** Changes nothing if it is already set so. */
const switching = (setting: BusinessSetting) =>
  statement<{ id: string; value: Flag }, unknown>(({ db }, arg) =>
    db
      .updateTable('businesses')
      .set({ [setting]: arg('value') })
      .where('id', '=', arg('id'))
      .where(setting, '!=', arg('value')),
  );
export const switchSetting = {
  passwordProtectRefundsAndVoids: switching('passwordProtectRefundsAndVoids'),
  paymentLinksEnabled: switching('paymentLinksEnabled'),
} as const;

/** Any payment of the business, whatever became of it. */
export const anyPayment = statement<{ businessId: string }, { id: string }>(({ db }, arg) =>
  db.selectFrom('payments').select('id').where('businessId', '=', arg('businessId')).limit(sql.lit(1)),
);

/** Without its content. */
export const logoOfBusiness = statement<{ businessId: string }, Omit<BusinessLogoRow, 'contentBase64'>>(({ db }, arg) =>
  db
    .selectFrom('businessLogos')
    .select(['businessId', 'hash', 'mediaType', 'widthPx', 'heightPx', 'changedAt'])
    .where('businessId', '=', arg('businessId')),
);

/** With its content. */
export const logoByHash = statement<Pick<BusinessLogoRow, 'businessId' | 'hash' | 'mediaType'>, BusinessLogoRow>(
  ({ db }, arg) =>
    db
      .selectFrom('businessLogos')
      .selectAll()
      .where('businessId', '=', arg('businessId'))
      .where('hash', '=', arg('hash'))
      .where('mediaType', '=', arg('mediaType')),
);

export const saveLogo = statement<BusinessLogoRow, unknown>(({ db }, arg) =>
  db
    .insertInto('businessLogos')
    .values(rowFor(arg, 'businessLogos'))
    .onConflict(conflict =>
      conflict
        .column('businessId')
        .doUpdateSet(columnsOf(arg, ['hash', 'mediaType', 'contentBase64', 'widthPx', 'heightPx', 'changedAt'])),
    ),
);

export const deleteLogo = statement<{ businessId: string }, unknown>(({ db }, arg) =>
  db.deleteFrom('businessLogos').where('businessId', '=', arg('businessId')),
);

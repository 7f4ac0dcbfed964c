import { allColumnsOf, statement } from '../../foundation/database/database.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import type { BusinessRow } from './rows.ts';

export const businessById = statement<{ id: string }, BusinessRow>(({ db }, arg) =>
  db.selectFrom('businesses').selectAll().where('id', '=', arg('id')),
);

export const allBusinesses = statement<Record<string, never>, BusinessRow>(({ db }) =>
  db.selectFrom('businesses').selectAll().orderBy('id'),
);

export const insertBusiness = statement<BusinessRow, unknown>(({ db }, arg) =>
  db
    .insertInto('businesses')
    .values(
      allColumnsOf(arg, [
        'id',
        'name',
        'countryCode',
        'currency',
        'locale',
        'timeZone',
        'passwordProtectRefundsAndVoids',
        'paymentLinksEnabled',
        'createdAt',
      ]),
    ),
);

/** A setting that a business can switch on or off. */
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

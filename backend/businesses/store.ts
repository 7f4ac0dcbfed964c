import { allColumnsOf, statement } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
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
        'createdAt',
      ]),
    ),
);

/** Changes nothing where it is set so already. */
export const setPasswordProtection = statement<{ id: string; passwordProtectRefundsAndVoids: Flag }, unknown>(
  ({ db }, arg) =>
    db
      .updateTable('businesses')
      .set({ passwordProtectRefundsAndVoids: arg('passwordProtectRefundsAndVoids') })
      .where('id', '=', arg('id'))
      .where('passwordProtectRefundsAndVoids', '!=', arg('passwordProtectRefundsAndVoids')),
);

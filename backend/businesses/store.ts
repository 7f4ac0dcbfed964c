import { allColumnsOf, type Database, statement, type Transaction } from '../database/database.ts';
import type { Flag } from '../database/flag.ts';
import type { BusinessRow } from './rows.ts';

const byId = statement<{ id: string }, BusinessRow>(({ db }, arg) =>
  db.selectFrom('businesses').selectAll().where('id', '=', arg('id')),
);

const all = statement<Record<string, never>, BusinessRow>(({ db }) =>
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

const setPasswordProtection = statement<{ id: string; passwordProtectRefundsAndVoids: Flag }, unknown>(({ db }, arg) =>
  db
    .updateTable('businesses')
    .set({ passwordProtectRefundsAndVoids: arg('passwordProtectRefundsAndVoids') })
    .where('id', '=', arg('id'))
    .where('passwordProtectRefundsAndVoids', '!=', arg('passwordProtectRefundsAndVoids')),
);

export function businessStore(database: Database) {
  return {
    byId: (id: string) => database.first(byId, { id }),
    all: () => database.all(all, {}),
    insert: (tx: Transaction, row: BusinessRow) => tx.run(insertBusiness, row),
    /** Whether that changed anything. */
    setPasswordProtection: async (tx: Transaction, id: string, on: boolean) =>
      (await tx.run(setPasswordProtection, { id, passwordProtectRefundsAndVoids: on ? 1 : 0 })) === 1,
  };
}

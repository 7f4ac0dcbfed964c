import { sql } from 'kysely';
import { rowLimit, statement } from '../database/database.ts';
import { insertUnlessTaken } from '../database/statements.ts';
import type { PermanentKeyRow } from './rows.ts';
import type { SealedColumn, SealedRow } from './sealed-column.ts';

export const permanentKey = statement<object, PermanentKeyRow>(({ db }) => db.selectFrom('permanentKeys').selectAll());

export const insertPermanentKey = insertUnlessTaken('permanentKeys', 'id');

/** Any table serves for the types of Kysely. */
const namesOf = ({ table, owner, column }: SealedColumn) =>
  [table as 'permanentKeys', owner as 'id', column as 'sealedKey'] as const;

/** The rows with a sealed value in this column, in the order of their owners; a statement to be made once. */
export const sealedRows = (sealed: SealedColumn) => {
  const [table, owner, column] = namesOf(sealed);
  const { unsealed } = sealed;
  return statement<{ after: string; limit: number }, SealedRow>(({ db }, arg) =>
    db
      .selectFrom(table)
      .selectAll()
      .where(owner, '>', arg('after'))
      .where(column, 'is not', null)
      .$if(unsealed !== undefined, query => query.where(column, '<>', sql.lit(unsealed ?? '')))
      .orderBy(owner)
      .limit(rowLimit(arg('limit'))),
  );
};

/** Replaces a value of this column unless it was changed since it was read; a statement to be made once. */
export const replaceSealed = (sealed: SealedColumn) => {
  const [table, owner, column] = namesOf(sealed);
  return statement<{ owner: string; value: string; next: string }, unknown>(({ db }, arg) =>
    db
      .updateTable(table)
      .set({ [column]: arg('next') })
      .where(owner, '=', arg('owner'))
      .where(column, '=', arg('value')),
  );
};

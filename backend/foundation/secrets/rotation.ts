import type { Database } from '../database/database.ts';
import { SecretsKeyMismatch } from './keys.ts';
import type { SealedColumn, SealedRow } from './sealed-column.ts';
import { replaceSealed, sealedRows } from './store.ts';

/** A value that cannot be opened with any key that is set. */
export type UnreadableSecret = {
  readonly table: string;
  readonly column: string;
  readonly id: string;
  readonly problem: SecretsKeyMismatch['reason'];
};

/** What is stored sealed, in all columns. */
export type SecretsSurvey = {
  /** Values that only the accepted key opens. */
  readonly left: number;
  readonly unreadable: readonly UnreadableSecret[];
};

export type SecretsRotation = {
  /** Whether anything is stored sealed, whatever key opens it. */
  isAnythingSealed(): Promise<boolean>;
  survey(): Promise<SecretsSurvey>;
  /**
   * Seals every value that the accepted key sealed with the current one, beside everything else that runs, and surveys
   * them then. It can be interrupted at any time and repeated. `resealed` counts the values that it replaced.
   */
  rotate(): Promise<SecretsSurvey & { readonly resealed: number }>;
};

/** Few enough that other writes do not wait for them. */
const pageSize = 20;

type Page = {
  readonly column: SealedColumn;
  readonly replace: ReturnType<typeof replaceSealed>;
  readonly rows: readonly SealedRow[];
};

/** Rotates and surveys the values of these columns. */
export function secretsRotation(options: {
  readonly database: Database;
  readonly columns: () => readonly SealedColumn[];
}): SecretsRotation {
  const { database, columns } = options;

  async function* pages(): AsyncGenerator<Page> {
    for (const column of columns()) {
      const [page, replace] = [sealedRows(column), replaceSealed(column)];
      for (let after = ''; ; ) {
        const rows = await database.all(page, { after, limit: pageSize });
        yield { column, replace, rows };
        const last = rows.at(-1);
        if (!last || rows.length < pageSize) break;
        after = String(last[column.owner]);
      }
    }
  }

  async function survey(): Promise<SecretsSurvey> {
    let left = 0;
    const unreadable: UnreadableSecret[] = [];
    for await (const { column, rows } of pages())
      for (const row of rows) {
        const use = readable(() => column.keyOf(String(row[column.column]), row));
        if (use === 'accepted') left += 1;
        if (use instanceof SecretsKeyMismatch)
          unreadable.push({
            table: column.table,
            column: column.column,
            id: String(row[column.owner]),
            problem: use.reason,
          });
      }
    return { left, unreadable };
  }

  /** One transaction for each value: the rotation holds no lock while it waits for another. */
  async function reseal({ column, replace }: Page, row: SealedRow): Promise<number> {
    const value = String(row[column.column]);
    if (readable(() => column.keyOf(value, row)) !== 'accepted') return 0;
    const next = column.reseal(value, row);
    const owner = String(row[column.owner]);
    return database.write(tx => tx.run(replace, { owner, value, next }));
  }

  return {
    async isAnythingSealed() {
      for await (const { rows } of pages()) if (rows.length > 0) return true;
      return false;
    },
    survey,
    async rotate() {
      let resealed = 0;
      for await (const page of pages()) {
        const counts = await Promise.all(page.rows.map(row => reseal(page, row)));
        resealed += counts.reduce((sum, count) => sum + count, 0);
      }
      return { ...(await survey()), resealed };
    },
  };
}

function readable<Value>(read: () => Value): Value | SecretsKeyMismatch {
  try {
    return read();
  } catch (error) {
    if (error instanceof SecretsKeyMismatch) return error;
    throw error;
  }
}

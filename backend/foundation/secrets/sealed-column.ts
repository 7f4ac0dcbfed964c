import type { Tables } from '../database/database.ts';
import type { SecretUse } from './keys.ts';

/** A row of the table that a value is in. */
export type SealedRow = Readonly<Record<string, unknown>>;

/** A column whose values are sealed with SECRETS_KEY: what the rotation of that key needs to know of it. */
export type SealedColumn = {
  readonly table: string;
  /** The key of the table, which names the record that a value belongs to. */
  readonly owner: string;
  readonly column: string;
  /** A value of the column that is not sealed. */
  readonly unsealed?: string;
  /** Which key sealed this value of a row. @throws SecretsKeyMismatch if no key that is set did, or it was altered */
  readonly keyOf: (value: string, row: SealedRow) => SecretUse;
  /** The same, sealed with the current key. @throws SecretsKeyMismatch */
  readonly reseal: (value: string, row: SealedRow) => string;
};

/** A column that exists. */
export type SealedColumnOf<Table extends keyof Tables> = SealedColumn & {
  readonly table: Table;
  readonly owner: ColumnName<Table>;
  readonly column: ColumnName<Table>;
};
export type ColumnName<Table extends keyof Tables> = keyof Tables[Table] & string;

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const references = [
  { index: 'payments_referenceKey', table: 'payments', column: 'reference' },
  { index: 'terminalSales_referenceKey', table: 'terminalSales', column: 'reference' },
  { index: 'paymentLinks_referenceKey', table: 'paymentLinks', column: 'externalReference' },
] as const;

/**
 * Finding payments by the beginning of a reference, in capitals or not. Both databases turn the letters A to Z only, in the
 * order of their bytes. The indexes that it replaces stay: the previous version reads them. Large installations on PostgreSQL
 * make these beforehand, concurrently (deploy/README.md).
 */
export const referenceSearch = (dialect: 'sqlite' | 'postgres'): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const { index, table, column } of references) {
      const text = sql.ref(column);
      const key = dialect === 'postgres' ? sql`lower(${text} COLLATE "C")` : sql`lower(${text})`;
      await sql`CREATE INDEX IF NOT EXISTS ${sql.ref(index)} ON ${sql.table(table)} (${sql.ref('businessId')}, ${key}) WHERE ${text} IS NOT NULL`.execute(
        db,
      );
    }
  },
});

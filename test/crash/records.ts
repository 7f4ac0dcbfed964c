import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventRow } from '@florin/backend/foundation/events/rows.ts';
import type { IdempotencyRecordRow } from '@florin/backend/foundation/idempotency/rows.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from '@florin/backend/messaging/webhooks/rows.ts';
import type { DiscrepancyRow } from '@florin/backend/money/discrepancies/rows.ts';
import type { PaymentRow } from '@florin/backend/money/payments/rows.ts';
import type { RefundRow } from '@florin/backend/money/refunds/rows.ts';
import type { AuditChainRow, AuditEntryRow } from '@florin/backend/people/audit/rows.ts';
import SqliteConnection from 'better-sqlite3';
import pg from 'pg';

/** Payments, refunds, events and webhook deliveries, read from the service's database directly. */
export type DatabaseRecords = {
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
  readonly auditEntries: readonly AuditEntryRow[];
  readonly auditChains: readonly AuditChainRow[];
  readonly events: readonly EventRow[];
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly discrepancies: readonly DiscrepancyRow[];
  readonly webhooks: readonly WebhookRow[];
  readonly webhookDeliveries: readonly DeliveryRow[];
  readonly webhookAttempts: readonly AttemptRow[];
};

const tables = {
  payments: 'id',
  refunds: 'id',
  auditEntries: 'sequence',
  auditChains: 'businessId',
  events: 'id',
  idempotencyRecords: 'key',
  discrepancies: 'id',
  webhooks: 'id',
  webhookDeliveries: 'id',
  webhookAttempts: 'number',
} as const satisfies Record<keyof DatabaseRecords, string>;

export type DatabaseReader = {
  /** The last committed state. */
  read(): Promise<DatabaseRecords>;
  /** The state the killed process left, after its open transactions have ended. */
  readAfterKill(): Promise<DatabaseRecords>;
  /** How many payments and refunds have no outcome yet. */
  pending(): Promise<number>;
  /** How many payments have settled. */
  settled(): Promise<number>;
  close(): Promise<void>;
};

/** A database of the service: settings for its processes, and direct access for the auditor. */
export type Place = {
  readonly env: Readonly<Record<string, string>>;
  readonly reader: DatabaseReader;
  remove(): Promise<void>;
};

const everyTable = Object.entries(tables) as [keyof DatabaseRecords, string][];
const selectAll = (table: string, order: string) => `SELECT * FROM "${table}" ORDER BY "${order}"`;
const countPending =
  "SELECT (SELECT count(*) FROM refunds WHERE status = 'pending') + (SELECT count(*) FROM payments WHERE status = 'pending') AS pending";

const countSettled = "SELECT count(*) AS settled FROM payments WHERE status = 'settled'";

export function sqliteReader(data: string): DatabaseReader {
  const file = join(data, 'backend.db');
  function readFrom(path: string): DatabaseRecords {
    const connection = new SqliteConnection(path, { readonly: true });
    try {
      const read = connection.transaction(() =>
        everyTable.map(([table, order]) => [table, connection.prepare(selectAll(table, order)).all()]),
      );
      return Object.fromEntries(read()) as DatabaseRecords;
    } finally {
      connection.close();
    }
  }
  function ask<Row>(question: string): Row {
    const connection = new SqliteConnection(file, { readonly: true });
    try {
      return connection.prepare(question).get() as Row;
    } finally {
      connection.close();
    }
  }
  return {
    read: async () => readFrom(file),
    async readAfterKill() {
      // Reads a copy: opening the file itself would recover it before the service does.
      const copy = mkdtempSync(join(tmpdir(), 'florin-books-'));
      try {
        for (const suffix of ['', '-wal']) {
          if (existsSync(file + suffix)) cpSync(file + suffix, join(copy, `backend.db${suffix}`));
        }
        const writable = new SqliteConnection(join(copy, 'backend.db'));
        writable.pragma('wal_checkpoint(TRUNCATE)');
        writable.close();
        return readFrom(join(copy, 'backend.db'));
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    },
    pending: async () => ask<{ pending: number }>(countPending).pending,
    settled: async () => ask<{ settled: number }>(countSettled).settled,
    close: async () => undefined,
  };
}

export function postgresReader(connectionString: string): DatabaseReader {
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    application_name: 'books',
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', () => undefined);

  async function read(): Promise<DatabaseRecords> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const found: [string, unknown[]][] = [];
      for (const [table, order] of everyTable) found.push([table, (await client.query(selectAll(table, order))).rows]);
      await client.query('COMMIT');
      return Object.fromEntries(found) as unknown as DatabaseRecords;
    } finally {
      client.release();
    }
  }

  /** PostgreSQL finishes the current statement of a killed process. */
  async function sessionsHaveEnded(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query<{ others: number }>(
        `SELECT count(*) AS others FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'books'`,
      );
      if (rows[0]?.others === 0) return;
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }

  return {
    read,
    async readAfterKill() {
      await sessionsHaveEnded();
      return read();
    },
    async pending() {
      const { rows } = await pool.query<{ pending: number }>(countPending);
      return rows[0]?.pending ?? 0;
    },
    async settled() {
      const { rows } = await pool.query<{ settled: number }>(countSettled);
      return rows[0]?.settled ?? 0;
    },
    close: () => pool.end(),
  };
}

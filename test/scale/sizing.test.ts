import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '@florin/backend/foundation/database/columns.ts';
import pg from 'pg';
import { expect, test } from 'vitest';
import { aDatabase } from '../support/backend.ts';

const text = readFileSync(join(import.meta.dirname, '../../backend/SCALE.md'), 'utf8');

test('every table is named with what it grows with', () => {
  const [, grows = ''] = /## What grows\n([^#]*)/.exec(text) ?? [];
  const named = [...grows.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
  expect(named.filter(name => name !== 'RETENTION_DAYS' && name !== 'events').toSorted()).toEqual(
    Object.keys(columns)
      .filter(name => name !== 'events')
      .toSorted(),
  );
});

test('PostgreSQL accepts the settings of autovacuum', async () => {
  const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
  const { DATABASE_URL } = await aDatabase('postgres');
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    await client.query(statements);
    const { rows } = await client.query(
      `SELECT relname FROM pg_class
         WHERE reloptions IS NOT NULL AND relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBe(statements.match(/ALTER TABLE/g)?.length);
  } finally {
    await client.end();
  }
});

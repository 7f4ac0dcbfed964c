import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runAdmin } from '@florin/backend/programs/admin/run.ts';
import SqliteConnection from 'better-sqlite3';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { isInPart } from '../support/part.ts';
import { startPostgres } from '../support/postgres.ts';
import { aShop } from '../support/shop.ts';

const deploy = join(import.meta.dirname, '../../backend/deploy/archive');

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The service's check of a restored database: a backup of it, which is verified. */
async function expectWhole(env: Readonly<Record<string, string>>): Promise<void> {
  const file = join(aFolder(), 'florin.backup');
  for (const verb of ['create', 'verify']) {
    let out = '';
    const print = (text: string) => {
      out += text;
    };
    const code = await runAdmin({ args: ['backup', verb, '--file', file], env, print, printError: print });
    expect([code, out]).toEqual([0, expect.any(String)]);
  }
}

const urlOf = (socketDirectory: string) =>
  `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`;

async function queried(connectionString: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map(([value]) => String(value));
  } finally {
    await client.end();
  }
}

test.skipIf(!isInPart('archiving of PostgreSQL', 4))(
  'PostgreSQL is restored from a base backup and its archive to the moment before a mistake, and is whole',
  async () => {
    const archive = join(aFolder(), 'wal');
    mkdirSync(archive);
    chmodSync(archive, 0o777);
    chmodSync(join(archive, '..'), 0o755);
    const configuration = readFileSync(join(deploy, 'postgresql.conf'), 'utf8').replace(
      '/var/backups/florin-wal',
      archive,
    );
    const postgres = await startPostgres({ configuration });
    onTestFinished(() => postgres.stop());
    const url = urlOf(postgres.socketDirectory);
    const shop = await aShop('postgres', undefined, { env: { DATABASE_URL: url, DATABASE_DIRECT_URL: '' } });
    const before = await shop.pay((await shop.aLink(1_000)).id);
    const base = join(aFolder(), 'base');
    await postgres.baseBackup(base);
    const after = await shop.pay((await shop.aLink(2_000)).id);
    const [moment] = await queried(url, 'SELECT clock_timestamp()::text');
    const tooLate = await shop.pay((await shop.aLink(3_000)).id);
    await shop.world.stop();
    await queried(url, 'TRUNCATE "payments" CASCADE');
    const [last = ''] = await queried(url, 'SELECT pg_walfile_name(pg_switch_wal())');
    await expect.poll(() => existsSync(join(archive, last))).toBe(true);
    await postgres.stop();

    const restored = await startPostgres({
      recoverFrom: base,
      configuration: `restore_command = 'cp ${archive}/%f "%p"'
recovery_target_time = '${moment}'
recovery_target_action = 'promote'`,
    });
    onTestFinished(() => restored.stop());
    const restoredUrl = urlOf(restored.socketDirectory);
    await expect.poll(() => queried(restoredUrl, 'SELECT pg_is_in_recovery()')).toEqual(['false']);
    const payments = await queried(restoredUrl, 'SELECT id FROM "payments" ORDER BY id');
    expect(payments).toEqual([before.id, after.id].toSorted());
    expect(payments).not.toContain(tooLate.id);
    await expectWhole({ DATABASE_URL: restoredUrl, SECRETS_KEY: secretsKeySetting, DATA: aFolder() });
  },
);

const litestream = process.env.LITESTREAM_PATH ?? 'litestream';
const hasLitestream = spawnSync(litestream, ['version']).status === 0;

test.skipIf(!hasLitestream)(
  `the SQLite file is restored with Litestream, and is whole${hasLitestream ? '' : ' (skipped: no litestream on the PATH or in LITESTREAM_PATH)'}`,
  async () => {
    const shop = await aShop('sqlite');
    const { data } = shop.world.settings;
    const env = { ...process.env, FLORIN_DATA: data, FLORIN_ARCHIVE: pathToFileURL(aFolder()).href };
    const config = ['-config', join(deploy, 'litestream.yml')];
    const before = await shop.pay((await shop.aLink(1_000)).id);
    const replicating = spawn(litestream, ['replicate', ...config], { env, stdio: 'ignore' });
    onTestFinished(() => killed(replicating));
    const during = await shop.pay((await shop.aLink(2_000)).id);
    const place = aFolder();
    const paymentsRestored = () => {
      const file = join(place, 'backend.db');
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      spawnSync(litestream, ['restore', ...config, '-o', file, join(data, 'backend.db')], { env });
      if (!existsSync(file)) return [];
      const database = new SqliteConnection(file, { readonly: true });
      const ids = database.prepare<[], string>('SELECT id FROM payments ORDER BY id').pluck().all();
      database.close();
      return ids;
    };
    await expect.poll(paymentsRestored).toEqual([before.id, during.id].toSorted());
    // The machine is lost with the last second.
    await killed(replicating);
    expect(paymentsRestored()).toEqual([before.id, during.id].toSorted());
    const key = readFileSync(join(data, 'secrets.key'), 'utf8').trim();
    await expectWhole({ DATA: place, SECRETS_KEY: key });
  },
);

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await ended;
}

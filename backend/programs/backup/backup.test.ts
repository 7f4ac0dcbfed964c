import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import SqliteConnection from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase, anEmptyDatabase, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aShop } from '../../../test/support/shop.ts';
import { openBackend } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { runAdmin } from '../admin/run.ts';

type Env = Readonly<Record<string, string>>;

async function admin(env: Env, ...args: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const print = (text: string) => {
    out += `${text}\n`;
  };
  return { code: await runAdmin({ args: ['backup', ...args], env, print, printError: print }), out };
}

type Report = {
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
  readonly secretsKeyId: string;
  readonly migrations: readonly string[];
};

async function created(env: Env, file: string, ...args: string[]): Promise<Report> {
  const { code, out } = await admin(env, 'create', '--file', file, '--json', ...args);
  expect([code, out]).toEqual([0, expect.any(String)]);
  return JSON.parse(out) as Report;
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function envOf({ data, databaseUrl, secretsKey }: Settings): Env {
  return {
    DATA: databaseUrl === undefined ? data : aFolder(),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(secretsKey && { SECRETS_KEY: secretsKey.toString('base64') }),
  };
}

/** An empty place, with the key of the backup or without one. */
async function anEmptyPlace(kind: DatabaseKind, key?: string): Promise<Env> {
  const { SECRETS_KEY: _, ...place } = await anEmptyDatabase(kind);
  return { DATA: aFolder(), ...place, ...(key && { SECRETS_KEY: key }) };
}

/** A shop with a payment, a refund with an unknown outcome, and entries in its audit log. */
async function aBusyShop(database: DatabaseKind) {
  const shop = await aShop(database);
  const lost = await shop.aLostRefund(300);
  const env = envOf(shop.world.settings);
  const keyFile = join(shop.world.settings.data, 'secrets.key');
  const key = env.SECRETS_KEY ?? readFileSync(keyFile, 'utf8').trim();
  return { ...shop, lost, env, key };
}

const other = { sqlite: 'postgres', postgres: 'sqlite' } as const;

eachDatabase('a backup', database => {
  test.each(['sqlite', 'postgres'] as const)(
    'of a running service is restored into %s with every row',
    async target => {
      const { env, key, world, aLink } = await aBusyShop(database);
      const file = join(aFolder(), 'florin.backup');
      const backup = await created(env, file);
      expect(backup.tables.payments?.rows).toBe(1);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      // What is written after it is not in it.
      await aLink(500);
      expect(await admin(env, 'verify', '--file', file)).toMatchObject({ code: 0 });

      const place = await anEmptyPlace(target, key);
      const restored = await admin(place, 'restore', '--file', file);
      expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restored into') });
      const again = await created(place, join(aFolder(), 'again.backup'));
      // Events that PostgreSQL had not placed yet have their position now.
      const events = { rows: backup.tables.events?.rows, sha256: expect.any(String) };
      expect(again).toMatchObject({ tables: { ...backup.tables, events }, migrations: backup.migrations });
      expect(readdirSync(place.DATA ?? '').filter(name => name.startsWith('restoring-'))).toEqual([]);
      expect(world.logged()).not.toContain('"level":50');
    },
  );

  test('for an earlier version is refused while the service runs, and then has all that it has a place for', async () => {
    const { env, key, world } = await aBusyShop(database);
    const folder = aFolder();
    const file = join(folder, 'earlier.backup');
    const wanted = ['create', '--file', file, '--for-schema', '0019-permanent-keys'] as const;
    const refused = await admin(env, ...wanted);
    expect([refused.code, refused.out, existsSync(file)]).toEqual([
      1,
      expect.stringMatching(/stop every process first\n$/),
      false,
    ]);
    await world.stop();
    const unknown = await admin(env, 'create', '--file', file, '--for-schema', '0019');
    expect([unknown.code, unknown.out]).toEqual([1, expect.stringContaining('no schema 0019 to go back to')]);
    const whole = await created(env, join(folder, 'whole.backup'));
    const made = await admin(env, ...wanted);
    expect([made.code, made.out]).toEqual([
      0,
      expect.stringContaining('no place for bitcoinInvoices.trace, events.trace'),
    ]);

    const place = await anEmptyPlace(database, key);
    const restored = await admin(place, 'restore', '--file', file);
    expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('schema 0019-permanent-keys')]);
    const { tables } = await created(place, join(folder, 'restored.backup'));
    for (const name of ['payments', 'refunds', 'auditEntries', 'idempotencyRecords'])
      expect([name, tables[name]]).toEqual([name, whole.tables[name]]);
  });

  test('is refused where a database is, which is left as it was', async () => {
    const { env, key } = await aBusyShop(database);
    const file = join(aFolder(), 'florin.backup');
    await created(env, file);
    const { DATA = aFolder(), ...rest } = await aDatabase(database);
    const used = { ...rest, DATA, SECRETS_KEY: key };
    const before = await created(used, join(aFolder(), 'before.backup'));
    const refused = await admin(used, 'restore', '--file', file);
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringMatching(/only restored into an empty place[^\n]*\n$/),
    ]);
    expect((await created(used, join(aFolder(), 'after.backup'))).tables).toEqual(before.tables);
  });

  test('without the secrets key is refused until the key is there, and verified without its seals', async () => {
    const { env, key } = await aBusyShop(database);
    const file = join(aFolder(), 'florin.backup');
    await created(env, file);
    const place = await anEmptyPlace(other[database]);
    expect(await admin(place, 'verify', '--file', file)).toMatchObject({
      code: 0,
      out: expect.stringContaining('not here, so seals were not checked'),
    });
    expect(await admin(place, 'restore', '--file', file)).toMatchObject({
      code: 1,
      out: expect.stringContaining('needs the secrets key'),
    });
    const wrong = { ...place, SECRETS_KEY: Buffer.alloc(32, 99).toString('base64') };
    expect(await admin(wrong, 'restore', '--file', file)).toMatchObject({ code: 1 });
    expect(await admin({ ...place, SECRETS_KEY: key }, 'restore', '--file', file)).toMatchObject({ code: 0 });
  });

  test('made before a new secrets key or while it replaces the old one is restored with both', async () => {
    const { env, key } = await aBusyShop(database);
    const folder = aFolder();
    const [before, meanwhile] = [join(folder, 'before.backup'), join(folder, 'meanwhile.backup')];
    const next = Buffer.alloc(32, 2).toString('base64');
    const bothKeys = { SECRETS_KEY: next, SECRETS_KEY_ACCEPTED: key };
    await created(env, before);
    await created({ ...env, ...bothKeys }, meanwhile);
    for (const file of [before, meanwhile]) {
      const place = await anEmptyPlace(other[database]);
      const refused = await admin({ ...place, SECRETS_KEY: next }, 'restore', '--file', file);
      expect(refused).toMatchObject({ code: 1 });
      const restored = { ...place, ...bothKeys };
      expect(await admin(restored, 'verify', '--file', file)).toMatchObject({ code: 0 });
      expect(await admin(restored, 'restore', '--file', file)).toMatchObject({ code: 0 });
      const rotated = await runAdmin({ args: ['secrets', 'rotate'], env: restored, print() {}, printError() {} });
      expect(rotated).toBe(0);
      await created({ ...place, SECRETS_KEY: next }, `${file}.after`);
      expect(await admin({ ...place, SECRETS_KEY: next }, 'verify', '--file', `${file}.after`)).toMatchObject({
        code: 0,
      });
    }
  });
});

test('of a database that an unreleased build made is refused in one line, as its start is', async () => {
  const { world, env } = await aBusyShop('sqlite');
  await world.stop();
  const connection = new SqliteConnection(join(env.DATA ?? '', 'backend.db'));
  connection.exec(`DELETE FROM kysely_migration WHERE name = '0019-permanent-keys'`);
  connection.close();
  const says =
    /^[Tt]he database was made by an unreleased build of Florin \(0020-traces was applied before 0019-permanent-keys\)[^\n]*\n?$/;
  expect(await admin(env, 'create', '--file', join(aFolder(), 'florin.backup'))).toEqual({
    code: 1,
    out: expect.stringMatching(says),
  });
  await expect(
    openBackend({ settings: world.settings, log: createLog({ level: 'silent' }), publicUrl: '' }),
  ).rejects.toMatchObject({ code: 'SCHEMA_NOT_KNOWN', message: expect.stringMatching(says) });
});

test('an encrypted backup opens with its passphrase alone, and shows when it was changed or cut off', async () => {
  const { env, key } = await aBusyShop('sqlite');
  const folder = aFolder();
  const passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery staple\n');
  const file = join(folder, 'florin.backup');
  const refused = await admin(env, 'create', '--file', file, '--with-secrets-key');
  expect([refused.code, existsSync(file)]).toEqual([2, false]);
  await created(env, file, '--with-secrets-key', '--passphrase-file', passphraseFile);
  const bytes = readFileSync(file);
  expect(bytes.includes(key)).toBe(false);
  expect(await admin(env, 'verify', '--file', file)).toMatchObject({
    code: 1,
    out: expect.stringContaining('is encrypted'),
  });
  const wrongFile = join(folder, 'wrong');
  writeFileSync(wrongFile, 'incorrect horse battery\n');
  const damaged = join(folder, 'damaged');
  const open = (path: string, secret: string) => admin(env, 'verify', '--file', path, '--passphrase-file', secret);
  expect(await open(file, wrongFile)).toMatchObject({ code: 1, out: expect.stringContaining('passphrase is wrong') });
  for (const [at, length] of [
    [30, bytes.length],
    [bytes.length >> 1, bytes.length],
    [bytes.length - 1, bytes.length],
    [0, bytes.length - 20],
  ] as const) {
    const changed = Buffer.from(bytes.subarray(0, length));
    if (length === bytes.length) changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(damaged, changed);
    expect(await open(damaged, passphraseFile)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/changed|cut off/),
    });
  }
  // The key comes out of it, and the service's own key file is written for it.
  const place = await anEmptyPlace('sqlite');
  expect(await admin(place, 'restore', '--file', file, '--passphrase-file', passphraseFile)).toMatchObject({ code: 0 });
  const restoredKey = join(place.DATA ?? '', 'secrets.key');
  expect(readFileSync(restoredKey, 'utf8').trim()).toBe(key);
  expect(statSync(restoredKey).mode & 0o777).toBe(0o600);
});

test('a backup that was changed, cut off or of a newer version is refused and restores nothing', async () => {
  const { env, key } = await aBusyShop('sqlite');
  const folder = aFolder();
  const file = join(folder, 'florin.backup');
  await created(env, file);
  const text = gunzipSync(readFileSync(file)).toString();
  const place = await anEmptyPlace('sqlite', key);
  const cases: readonly (readonly [changed: string, message: string])[] = [
    [text.replace('Corner Shop', 'Corner Stop'), 'was changed: the rows of businesses'],
    [text.replace(/\n\["pay_[^\n]*/, ''), 'was changed: the rows of payments'],
    [text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'is cut off'],
    [
      text.replace('"0001-first-release"', '"0001-first-release","9999-later"'),
      'another version of Florin (9999-later)',
    ],
    [text.replace('"0019-permanent-keys",', ''), '0020-traces was applied before 0019-permanent-keys'],
    ['{"format":"other"}\n', 'is no backup of Florin'],
  ];
  for (const [changed, message] of cases) {
    expect(changed).not.toBe(text);
    writeFileSync(file, gzipSync(changed));
    const refused = await admin(place, 'restore', '--file', file);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining(message)]);
    expect(readdirSync(place.DATA ?? '')).toEqual([]);
  }
  writeFileSync(file, 'neither');
  expect((await admin(place, 'restore', '--file', file)).code).toBe(1);
});

test('a backup whose records contradict each other names the contradiction', async () => {
  const { env, world } = await aBusyShop('sqlite');
  const folder = aFolder();
  await world.stop();
  const faults: readonly (readonly [sql: string, message: string])[] = [
    ['UPDATE payments SET reservedMinor = 299', 'what it returned and holds is not the sum'],
    [`UPDATE refunds SET paymentId = 'pay_gone'`, 'its payment is missing'],
    ['UPDATE eventConsumers SET position = position + 1000000', 'it is past the last event'],
    [`UPDATE auditEntries SET detailJson = '{}'`, 'audit log of'],
    ['UPDATE auditChains SET sequence = sequence + 1', 'audit log of'],
  ];
  for (const [index, [sql, message]] of faults.entries()) {
    const data = aFolder();
    for (const name of readdirSync(env.DATA ?? '')) copyFileSync(join(env.DATA ?? '', name), join(data, name));
    const connection = new SqliteConnection(join(data, 'backend.db'));
    expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0);
    connection.close();
    const file = join(folder, `${index}.backup`);
    await created({ ...env, DATA: data }, file);
    const verified = await admin({ ...env, DATA: data }, 'verify', '--file', file);
    expect([verified.code, verified.out]).toEqual([1, expect.stringContaining(message)]);
  }
});

test('a path that cannot be used is named in one line with what to do, and nothing is left behind', async () => {
  const { env, key } = await aBusyShop('sqlite');
  const folder = aFolder();
  const [file, text] = [join(folder, 'florin.backup'), join(folder, 'text')];
  await created(env, file);
  writeFileSync(text, 'text');
  const before = readdirSync(folder);
  const place = { DATA: join(folder, 'new', 'data'), SECRETS_KEY: key };
  const cases: readonly (readonly [env: Env, args: readonly string[], says: string])[] = [
    [env, ['create', '--file', join(folder, 'none', 'b')], `There is no folder ${join(folder, 'none')}: make it`],
    [env, ['create', '--file', join(text, 'b')], `There is no folder ${text}: make it`],
    [{ ...env, DATA: text }, ['create', '--file', join(folder, 'b')], `${text} is a file: name a folder with --data`],
    [env, ['verify', '--file', join(folder, 'none')], 'cannot be read: it does not exist (ENOENT). Check --file'],
    [env, ['verify', '--file', folder], 'cannot be read: it is a folder, not a file (EISDIR). Check --file'],
    [{ ...env, DATA: text }, ['verify', '--file', file], `${text} is a file: name a folder`],
    [place, ['restore', '--file', join(folder, 'none')], 'cannot be read: it does not exist'],
    [place, ['restore', '--file', text], 'is no whole backup'],
    [{ DATA: place.DATA }, ['restore', '--file', file], 'needs the secrets key'],
    [place, ['restore', '--file', ''], '--file: must be the path of a file'],
    [{ ...place, DATA: '/proc' }, ['verify', '--file', file], 'Nothing can be written in /proc'],
  ];
  for (const [given, args, says] of cases) {
    const { code, out } = await admin(given, ...args);
    expect([code > 0, out.split('\n').length, out]).toEqual([true, 2, expect.stringContaining(says)]);
    expect(readdirSync(folder)).toEqual(before);
  }
});

test('a PostgreSQL database that is not there is named with what to do', async () => {
  const { DATABASE_URL = '' } = await anEmptyDatabase('postgres');
  const url = new URL(DATABASE_URL);
  url.pathname = '/none';
  const env = { DATA: aFolder(), DATABASE_URL: url.href, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
  expect(await admin(env, 'create', '--file', join(aFolder(), 'b'))).toEqual({
    code: 1,
    out: 'database "none" does not exist. Create the database, or check its name in DATABASE_URL\n',
  });
});

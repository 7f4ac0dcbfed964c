import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import SqliteConnection from 'better-sqlite3';
import pg from 'pg';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../../../test/support/backend.ts';
import { aLightningNode, nodesOnThisMachine, paidThrough } from '../../../test/support/lightning-node.ts';
import { aShop } from '../../../test/support/shop.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { runAdmin } from '../admin/run.ts';
import { startCardGatewaySandbox } from '../sandbox/card-gateway/server.ts';
import { startMailboxSandbox } from '../sandbox/mailbox/server.ts';
import type { Finding } from './finding.ts';
import { aboutRoom } from './machine.ts';

type Env = Readonly<Record<string, string>>;
const hourMs = 3_600_000;

async function doctor(env: Env): Promise<{ code: number; findings: readonly Finding[] }> {
  let out = '';
  const print = (text: string) => {
    out += text;
  };
  const code = await runAdmin({ args: ['doctor', '--json'], env, print, printError: print });
  return { code, findings: (JSON.parse(out) as { findings: Finding[] }).findings };
}

/** Expects one finding of this check that is wrong, with something to do, and exit code 1. */
async function expectWrong(env: Env, check: string, says: string | RegExp): Promise<void> {
  const { code, findings } = await doctor(env);
  const found = findings.filter(one => one.check === check && one.state === 'wrong');
  expect([code, found]).toEqual([
    1,
    [{ check, state: 'wrong', says: expect.stringMatching(says), todo: expect.any(String) }],
  ]);
}

async function expectLook(env: Env, check: string, says: string | RegExp): Promise<void> {
  const { findings } = await doctor(env);
  const looks = findings.filter(one => one.check === check && one.state === 'look');
  expect(looks.map(one => one.says)).toContainEqual(expect.stringMatching(says));
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A shop on SQLite with a mail server and a node, and the settings that it runs with. */
async function anInstallation() {
  const mailbox = await startMailboxSandbox();
  let isOpen = true;
  const closeMailbox = async () => {
    if (isOpen) await mailbox.close();
    isOpen = false;
  };
  onTestFinished(closeMailbox);
  const shop = await aShop('sqlite', undefined, { env: nodesOnThisMachine });
  const link = await shop.aLink(1_000);
  await shop.pay(link.id);
  const node = await aLightningNode();
  await paidThrough(shop.world, shop.business, node);
  const env: Env = {
    ...nodesOnThisMachine,
    DATA: shop.world.settings.data,
    GATEWAY_URL: shop.sandbox.url,
    GATEWAY_CARD_PRESENT_URL: shop.sandbox.cardPresentUrl,
    PUBLIC_URL: shop.world.url,
    SMTP_URL: mailbox.smtpUrl,
  };
  /** A copy of its data folder, to damage. */
  const aCopy = (): Env => {
    const data = aFolder();
    for (const name of readdirSync(env.DATA ?? '')) copyFileSync(join(env.DATA ?? '', name), join(data, name));
    return { ...env, DATA: data };
  };
  return { ...shop, env, node, aCopy, closeMailbox };
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an installation in order has nothing wrong, and nothing is changed by looking', async () => {
  const { env, world } = await anInstallation();
  const rowsOf = () =>
    world.backend.services.businesses
      .list()
      .then(async ([business]) => world.backend.services.audit.head(business?.id ?? ''));
  const before = await rowsOf();
  const { code, findings } = await doctor(env);
  expect(findings.filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(code).toBe(0);
  expect(findings.filter(({ state }) => state === 'fine').map(({ check }) => check)).toEqual([
    'settings',
    'secrets key',
    'database',
    'schema',
    'clock',
    'disk',
    'public address',
    'mail server',
    'secrets key',
    'card gateway',
    'bitcoin node',
  ]);
  expect(findings.filter(({ state }) => state === 'look').map(({ says }) => says)).toEqual([
    expect.stringContaining('is the sandbox: no money moves'),
  ]);
  expect(await rowsOf()).toEqual(before);
});

test('services that do not answer are named: mail server, gateway, node, public address', async () => {
  const { env, sandbox, node, closeMailbox, world } = await anInstallation();
  await closeMailbox();
  await sandbox.close();
  await node.control.refuseConnections();
  await world.stop();
  const { code, findings } = await doctor(env);
  expect(code).toBe(1);
  const broken = findings.filter(({ state }) => state === 'wrong').map(({ check, says }) => `${check}: ${says}`);
  expect(broken).toEqual([
    expect.stringMatching(/^public address: http:\/\/\S+ does not answer: ECONNREFUSED/),
    expect.stringMatching(/^mail server: It cannot be used: /),
    expect.stringMatching(/^card gateway: .* cannot be used: .*nothing listens at its address/),
    expect.stringMatching(/^bitcoin node: .* cannot be used: .*nothing listens at its address/),
  ]);
});

test('the gateway of the settings is asked too, where no business has an account yet', async () => {
  const sandbox = await startCardGatewaySandbox({ file: ':memory:', clock: systemClock });
  onTestFinished(() => sandbox.close());
  const env: Env = {
    ...(await aDatabase('sqlite')),
    GATEWAY_URL: sandbox.url,
    GATEWAY_CARD_PRESENT_URL: sandbox.cardPresentUrl,
  };
  const { findings } = await doctor(env);
  expect(findings).toContainEqual(expect.objectContaining({ state: 'fine', says: `${sandbox.url} answers` }));
  const nowhere = 'http://127.0.0.1:1';
  await expectWrong(
    { ...env, GATEWAY_URL: nowhere },
    'card gateway',
    /cannot be used: .*nothing listens at its address/,
  );
  await expectWrong(
    { DATA: aFolder(), GATEWAY_URL: nowhere },
    'card gateway',
    /cannot be used: nothing listens at its address$/,
  );
});

test('the node of the demo is reached without the settings of its backend', async () => {
  const { env } = await anInstallation();
  const { BITCOIN_NODE_ALLOW_PRIVATE: _, ...others } = env;
  const { code, findings } = await doctor(others);
  expect(findings).toContainEqual(expect.objectContaining({ check: 'bitcoin node', state: 'fine' }));
  expect(code).toBe(0);
});

test('invalid settings are each named', async () => {
  await expectWrong({ LEASE_SECONDS: '99' }, 'settings', 'LEASE_SECONDS: must be 1 to 30');
});

test('a secrets key that is missing, unreadable, open to others or not the one of the records is wrong', async () => {
  const { env, aCopy, world } = await anInstallation();
  await world.stop();
  const other = Buffer.alloc(32, 99).toString('base64');
  await expectWrong({ ...env, SECRETS_KEY: other }, 'secrets key', 'sealed under another key');
  const missing = aCopy();
  const keyOf = ({ DATA = '' }: Env) => join(DATA, 'secrets.key');
  rmSync(keyOf(missing));
  await expectWrong(missing, 'secrets key', 'There is no key in');
  expect(readdirSync(missing.DATA ?? '')).not.toContain('secrets.key');
  const open = aCopy();
  chmodSync(keyOf(open), 0o644);
  await expectWrong(open, 'secrets key', 'Other users of this machine can read');
  const short = aCopy();
  writeFileSync(keyOf(short), 'c2hvcnQ=');
  await expectWrong(short, 'secrets key', 'holds no key of 32 bytes');
  const folder = aCopy();
  rmSync(keyOf(folder));
  mkdirSync(keyOf(folder));
  await expectWrong(folder, 'secrets key', 'secrets.key is not a file');
  await expectWrong({ ...env, DATA: keyOf(short) }, 'database', 'secrets.key is a file: name a folder with --data');
});

test('a database that other users of the machine can read is wrong', async () => {
  const { aCopy, world } = await anInstallation();
  await world.stop();
  const { DATA = '', ...env } = aCopy();
  const findings = async () => (await doctor({ ...env, DATA })).findings.filter(({ check }) => check === 'database');
  chmodSync(join(DATA, 'backend.db'), 0o644);
  expect(await findings()).toEqual([expect.objectContaining({ state: 'fine' })]);
  chmodSync(DATA, 0o755);
  await expectWrong({ ...env, DATA }, 'database', 'Other users of this machine can read');
});

test('a secret or an audit log that was changed outside the service is told apart from a wrong key', async () => {
  const { aCopy, world } = await anInstallation();
  await world.stop();
  const changed = (sql: string): Env => {
    const env = aCopy();
    const connection = new SqliteConnection(join(env.DATA ?? '', 'backend.db'));
    expect(connection.prepare(sql).run().changes).toBe(1);
    connection.close();
    return env;
  };
  const head = 'UPDATE auditChains SET sequence = sequence + 1';
  await expectLook(changed(head), 'secrets key', 'has a broken seal');
  const secret = `UPDATE bitcoinBackends SET sealedSecrets = sealedSecrets || 'AAAA'`;
  await expectWrong(
    changed(secret),
    'secrets key',
    /^bitcoinBackends.sealedSecrets of \S+: altered since it was sealed$/,
  );
});

test('a SQLite file that is damaged, locked or of another version is told apart, and an older one is not upgraded', async () => {
  const { aCopy, world } = await anInstallation();
  await world.stop();
  const fileOf = ({ DATA = '' }: Env) => join(DATA, 'backend.db');
  const noDatabase = aCopy();
  writeFileSync(fileOf(noDatabase), 'this is not a database file, however long it is');
  await expectWrong(noDatabase, 'database', 'It cannot be opened: SQLITE_NOTADB');

  const damaged = aCopy();
  const bytes = readFileSync(fileOf(damaged));
  bytes.fill(0xff, 8_192, Math.min(bytes.length, 65_536));
  writeFileSync(fileOf(damaged), bytes);
  await expectWrong(damaged, 'database', /SQLite|SQLITE_CORRUPT/);

  const changed = (sql: string): Env => {
    const env = aCopy();
    const connection = new SqliteConnection(fileOf(env));
    expect(connection.prepare(sql).run().changes).toBe(1);
    connection.close();
    return env;
  };
  await expectWrong(
    changed(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '9999-01-01T00:00:00.000Z')`),
    'schema',
    '9999-later, of a newer version',
  );
  const unreleased = changed(`DELETE FROM kysely_migration WHERE name = '0019-permanent-keys'`);
  await expectWrong(unreleased, 'schema', 'of an unreleased build');
  const older = changed(`DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)`);
  await expectLook(older, 'schema', 'of an older version');
  await expectLook(older, 'card gateway', 'were not checked');

  const locked = aCopy();
  const holder = new SqliteConnection(fileOf(locked));
  holder.exec('BEGIN IMMEDIATE');
  await expectWrong(locked, 'database', 'takes no writes: database is locked');
  holder.close();
  await expectLook({ DATA: join(aFolder(), 'none') }, 'database', 'There is no database');
});

test('a PostgreSQL that does not answer, takes no writes or could lose some is wrong, and its key is not a file', async () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const { DATABASE_URL = '', ...place } = await aDatabase('postgres');
  const DATA = aFolder();
  await expectWrong(
    { DATA, DATABASE_URL: 'postgres://127.0.0.1:1/none', SECRETS_KEY: key },
    'database',
    'ECONNREFUSED',
  );
  // The servers of tests write without fsync.
  await expectWrong({ ...place, DATA, DATABASE_URL }, 'database', 'fsync is off');
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(
    `ALTER DATABASE "${new URL(DATABASE_URL).pathname.slice(1)}" SET default_transaction_read_only = on`,
  );
  await client.end();
  await expectWrong({ ...place, DATA, DATABASE_URL }, 'database', 'takes no writes: its transactions are read-only');
  writeFileSync(join(DATA, 'secrets.key'), key, { mode: 0o600 });
  await expectLook({ DATA, DATABASE_URL }, 'secrets key', 'The key is a file on this machine');
});

test('a clock that the gateway disagrees with is wrong past what terminals accept', async () => {
  const ahead = (ms: number) =>
    listening((_request, response) => {
      response.setHeader('date', new Date(performance.timeOrigin + performance.now() + ms).toUTCString());
      response.end();
    });
  await expectWrong({ DATA: aFolder(), GATEWAY_URL: await ahead(hourMs) }, 'clock', /^\d+ s behind the gateway$/);
  await expectLook({ DATA: aFolder(), GATEWAY_URL: await ahead(-60_000) }, 'clock', /^\d+ s ahead of the gateway$/);
});

test('a public address without TLS, or with a certificate that is not trusted or ends soon, is wrong', async () => {
  const DATA = aFolder();
  await expectWrong({ DATA, PUBLIC_URL: 'http://pay.example' }, 'public address', 'is not encrypted');
  const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(performance.timeOrigin + 3 * 24 * hourMs),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  const server = createTlsServer({ key: pem.private, cert: pem.cert }, (_request, response) => void response.end());
  await new Promise<void>(resolve => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  const PUBLIC_URL = `https://localhost:${(server.address() as AddressInfo).port}`;
  await expectWrong({ DATA, PUBLIC_URL }, 'certificate', 'is not valid: DEPTH_ZERO_SELF_SIGNED_CERT');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, pem.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  await expectWrong({ DATA, PUBLIC_URL }, 'certificate', /is valid for [12] days$/);
  await expectLook({ DATA, PUBLIC_URL }, 'proxy', 'TRUSTED_PROXIES is not set');
  // Where nobody listens the certificate is not what is wrong.
  const nowhere = { DATA, PUBLIC_URL: 'https://localhost:1' };
  await expectWrong(nowhere, 'public address', 'does not answer');
  expect((await doctor(nowhere)).findings.map(({ check }) => check)).not.toContain('certificate');
});

test('little room is something to look at, and almost none is wrong where the data is', () => {
  const gibibyte = 2 ** 30;
  const size = { sizeBytes: 100 * gibibyte, freeBytes: 20 * gibibyte };
  const room = { place: '/data', ...size, isWritable: true, holdsData: true };
  expect(aboutRoom(room).state).toBe('fine');
  expect(aboutRoom({ ...room, freeBytes: 4 * gibibyte }).state).toBe('look');
  expect(aboutRoom({ ...room, freeBytes: gibibyte / 8 }).state).toBe('wrong');
  expect(aboutRoom({ ...room, freeBytes: gibibyte / 8, holdsData: false }).state).toBe('look');
  expect(aboutRoom({ ...room, sizeBytes: 0, freeBytes: 0 })).toMatchObject({
    state: 'wrong',
    says: '/data is not on a disk and holds no files',
  });
  expect(aboutRoom({ ...room, isWritable: false })).toMatchObject({
    state: 'wrong',
    todo: expect.stringContaining('DATA'),
  });
});

test('what an ended restore left is named', async () => {
  const DATA = aFolder();
  mkdirSync(join(DATA, 'restoring-a1b2c3'));
  await expectLook({ DATA }, 'disk', 'restoring-a1b2c3 is of a backup restore or verify that is running or was ended');
});

test('a variable that is almost a setting is named, because its value has no effect', async () => {
  const data = aFolder();
  await expectLook({ DATA: data, SECRET_KEY: 'x' }, 'settings', /^SECRET_KEY is set, and is not a setting/);
  const { findings } = await doctor({
    DATA: data,
    PATH: '/bin',
    PORTS: '1',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  expect(findings.filter(({ check, state }) => check === 'settings' && state !== 'fine')).toEqual([]);
});

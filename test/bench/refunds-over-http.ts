import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { insertStaff } from '@florin/backend/people/staff/store.ts';
import { operator } from '@florin/shared/actor.ts';
import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { createTerminalRefund } from '@florin/shared/contracts/device-v1/refunds.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import SqliteConnection from 'better-sqlite3';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { signedEnrolment } from '../support/till.ts';
import { type Bench, fewRounds, inRounds, latency, type Reading, type Scale, throughput } from './bar.ts';
import { instantRegistry } from './instant-gateway.ts';
import { type Call, load } from './load.ts';
import { type Measured, scattered } from './measure.ts';
import { inFolder, settingsFor } from './place.ts';
import { offCoreZero, onCoreZero, type ServerProcess, startOnCoreZero } from './processes.ts';
import { rawRefunds } from './raw.ts';
import { benchBusinessId, createShop, fillShop, linkIdOf, saleIdOf } from './shop.ts';

const payments = 10_000;
const connectionCounts = [1, 10, 50] as const;
type Connections = (typeof connectionCounts)[number];

/** Bars 2 and 3: whole refunds over HTTP against one hand-written refund per commit. */
export const refundsOverHttp: Bench = {
  name: 'refunds',
  about: 'bars 2 and 3: refunds over HTTP at 1, 10 and 50 connections, from the API and from a terminal',
  run: scale => inFolder(folder => offCoreZero(() => measureRefunds(fewRounds(scale), folder))),
};

async function measureRefunds(scale: Scale, folder: string): Promise<Reading[]> {
  const usual = { 1: scale.times(1_000), 10: scale.times(2_500), 50: scale.times(4_000) };
  const allTerminalRefunds = connectionCounts.reduce((sum, count) => sum + Math.ceil(usual[count] * 1.1) + 1, 0);
  scale.print('filling a shop');
  const env = {
    DATA: folder,
    SECRETS_KEY: secretsKeySetting,
    PORT: '0',
    STAFF_NONCE_SECONDS: '7200',
    RATE_LIMIT_PER_KEY: '1000000000',
  };
  const shop = await prepare(env, allTerminalRefunds * scale.rounds);
  const byHandFolder = join(folder, 'by-hand');
  mkdirSync(byHandFolder);
  copyFileSync(join(folder, 'backend.db'), join(byHandFolder, 'backend.db'));
  const server = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
  const byHandServer = await startOnCoreZero('by-hand-post.ts', {
    env: { DATA: byHandFolder, PAYMENTS: String(payments) },
    logFile: join(folder, 'by-hand.log'),
  });
  const callers = {
    api: apiCaller(shop, server),
    terminal: terminalCaller(shop, server),
    byHand: apiCaller(shop, byHandServer),
  };
  const rounds = await inRounds(scale, async round => {
    const file = join(folder, `raw${round}.db`);
    const plain = await onCoreZero(() => rawRefunds({ file, payments, refunds: scale.times(4_000) }));
    const api = await eachCount(count => callers.api.refund(count, usual[count]));
    const byHand = { 1: await callers.byHand.refund(1, usual[1]), 10: await callers.byHand.refund(10, usual[10]) };
    const terminal = await eachCount(count => callers.terminal.refund(count, usual[count]));
    return { plain, byHand, api, terminal };
  });
  await Promise.all([server.stop(), byHandServer.stop()]);
  await checkBooks(env, callers.api.answered() + callers.terminal.answered());
  const p50 = { goal: undefined, percentile: 'p50Ms' } as const;
  return [
    ...barsOf('API', rounds, ({ api }) => api),
    latency(
      { ...p50, bar: '  1 connection, by hand behind node:http: p50' },
      rounds.map(({ api, byHand }) => ({ product: api[1], ceiling: byHand[1] })),
    ),
    throughput(
      { bar: '  10 connections, by hand behind node:http', goal: undefined, unit: 'refunds/s' },
      rounds.map(({ api, byHand }) => ({ product: api[10], ceiling: byHand[10] })),
    ),
    latency(
      { ...p50, bar: '  by hand behind node:http ÷ raw: p50' },
      rounds.map(({ byHand, plain }) => ({ product: byHand[1], ceiling: plain })),
    ),
    ...barsOf('terminal, staff signature', rounds, ({ terminal }) => terminal),
  ];
}

type Round = {
  readonly plain: Measured;
  readonly byHand: Readonly<Record<1 | 10, Measured>>;
  readonly api: Readonly<Record<Connections, Measured>>;
  readonly terminal: Readonly<Record<Connections, Measured>>;
};

function barsOf(
  who: string,
  rounds: readonly Round[],
  of: (round: Round) => Readonly<Record<Connections, Measured>>,
): Reading[] {
  const unit = 'refunds/s';
  const at = (count: Connections) => rounds.map(round => ({ product: of(round)[count], ceiling: round.plain }));
  const most = { sign: '≤', value: 2 } as const;
  return [
    latency({ bar: `2 refund (${who}), 1 connection: p50`, goal: most, percentile: 'p50Ms' }, at(1)),
    latency({ bar: `2 refund (${who}), 1 connection: p99`, goal: most, percentile: 'p99Ms' }, at(1)),
    throughput({ bar: `3 refund (${who}), 10 connections`, goal: { sign: '≥', value: 0.85 }, unit }, at(10)),
    throughput({ bar: `3 refund (${who}), 50 connections`, goal: { sign: '≥', value: 1.1 }, unit }, at(50)),
  ];
}

async function eachCount(
  run: (count: Connections) => Promise<Measured>,
): Promise<Readonly<Record<Connections, Measured>>> {
  return { 1: await run(1), 10: await run(10), 50: await run(50) };
}

type Staff = { readonly id: string; readonly key: KeyPair };
type Shop = {
  readonly apiKey: string;
  readonly terminalId: string;
  readonly deviceToken: string;
  readonly nonces: readonly { readonly staff: Staff; readonly nonce: string }[];
};

/** Enough staff members to keep the number of refunds of each per day as low as in a real shop. */
const staffCount = 200;

async function prepare(env: Readonly<Record<string, string>>, nonceCount: number): Promise<Shop> {
  const backend = await composeOver(env);
  const { database, services } = backend;
  const businessId = benchBusinessId;
  await createShop(database);
  const made = await services.terminals.create({ businessId, name: 'Till', mode: 'staff', by: operator });
  const keys = keyPairOf(randomBytes(32));
  const terminalId = made.terminal.id;
  await fillShop(database, { payments, terminalId });
  const enrolled = await services.terminals.enrol(
    signedEnrolment({ code: made.enrolment.code, serial: 'bench', keys }),
  );
  const apiKey = await services.apiKeys.create(
    businessId,
    { name: 'bench', preset: 'CUSTOM', permissions: ['take-payments:write'], expiresAt: null },
    operator,
  );
  if (!enrolled.ok || !apiKey.ok) throw new Error('the shop could not be prepared');
  const staff = Array.from({ length: staffCount }, (_, number) => aStaffMember(number));
  await database.write(async tx => {
    for (const { row } of staff) await tx.run(insertStaff, row);
  });
  const nonces = await Promise.all(
    Array.from({ length: nonceCount }, async (_, index) => {
      const member = staff[index % staffCount];
      if (!member) throw new Error('there is no staff');
      const asked = { businessId, terminalId, staffNumber: member.row.staffNumber };
      const challenge = await services.staff.challenge(asked);
      if (!challenge.ok) throw new Error('no challenge was issued');
      return { staff: { id: member.row.id, key: member.key }, nonce: challenge.value.nonce };
    }),
  );
  await backend.close();
  return { apiKey: apiKey.value.secret, terminalId, deviceToken: enrolled.value.deviceToken, nonces };
}

function composeOver(env: Readonly<Record<string, string>>): Promise<Backend> {
  return openBackend({
    settings: settingsFor(env),
    log: createLog({ level: 'silent' }),
    publicUrl: 'http://127.0.0.1',
    gatewayRegistry: instantRegistry(),
  });
}

function aStaffMember(number: number) {
  const key = keyPairOf(randomBytes(32));
  const row = {
    id: `staff_bench${number}`,
    businessId: benchBusinessId,
    staffNumber: String(1000 + number),
    name: `Staff ${number}`,
    mayRefundAndVoid: 1,
    mayManageTerminals: 0,
    perTransactionLimitMinor: 100_000,
    dailyLimitMinor: 100_000_000,
    publicKey: key.publicKey,
    salt: randomBytes(16).toString('base64'),
    argon2Json: '{"memoryKibibytes":19456,"passes":2,"parallelism":1}',
    passwordIsTemporary: 0,
    failedAttempts: 0,
    lockoutRound: 0,
    lockedUntil: null,
    disabledAt: null,
    createdAt: 1_760_000_000_000,
  } as const;
  return { row, key };
}

type Caller = {
  refund(connections: number, times: number): Promise<Measured>;
  /** The number of refunds answered as approved so far. */
  answered(): number;
};

function apiCaller({ apiKey }: Shop, server: ServerProcess): Caller {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const body = JSON.stringify({ kind: 'REFUND_SALE', amountInCents: 1 });
  return callerOf(server, index => ({
    path: createCardRefund.path.replace('{id}', linkIdOf(scattered(index, payments))),
    headers: { ...headers, 'idempotency-key': `bench-${index}` },
    body,
  }));
}

function terminalCaller({ deviceToken, terminalId, nonces }: Shop, server: ServerProcess): Caller {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${deviceToken}` };
  return callerOf(server, index => {
    const given = nonces[index];
    if (!given) throw new Error('the nonces ran out');
    const paymentId = saleIdOf(scattered(index, payments));
    const issuedAt = new Date().toISOString();
    const { staff, nonce } = given;
    const text = canonicalAuthorisation({
      purpose: 'refund',
      businessId: benchBusinessId,
      deviceId: terminalId,
      staffId: staff.id,
      paymentId,
      kind: 'REFUND_SALE',
      amount: 1,
      currency: 'GBP',
      nonce,
      issuedAt,
    });
    const authorisation = { staffId: staff.id, nonce, issuedAt, signature: signText(staff.key.privateKey, text) };
    const body = {
      requestId: `bench-request-${index}`,
      paymentId,
      kind: 'REFUND_SALE',
      amountInCents: 1,
      authorisation,
    };
    return { path: createTerminalRefund.path, headers, body: JSON.stringify(body) };
  });
}

function callerOf(server: ServerProcess, call: (index: number) => Call): Caller {
  let sent = 0;
  let approved = 0;
  return {
    refund: (connections, times) =>
      load({
        url: server.url,
        connections,
        times,
        call: () => {
          sent += 1;
          return call(sent - 1);
        },
        check(status, body) {
          if (status !== 201 || !body.includes('"status":"approved"'))
            throw new Error(`a refund of the bench was answered ${status}: ${body}`);
          approved += 1;
        },
      }),
    answered: () => approved,
  };
}

/** Checks that the answers match the records to the penny, and that the log of staff checks is complete. */
async function checkBooks(env: Readonly<Record<string, string>>, answered: number): Promise<void> {
  const backend = await composeOver(env);
  const check = await backend.services.audit.verify(benchBusinessId);
  await backend.close();
  if (check.kind !== 'intact') throw new Error(`the audit chain is broken: ${check.why}`);
  const db = new SqliteConnection(join(env.DATA ?? '', 'backend.db'), { readonly: true });
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get();
  const found = {
    approved: count(`SELECT count(*) FROM refunds WHERE status = 'approved'`),
    all: count('SELECT count(*) FROM refunds'),
    refundedMinor: count('SELECT sum("refundedMinor") FROM payments'),
    reservedMinor: count('SELECT sum("reservedMinor") FROM payments'),
  };
  db.close();
  const expected = { approved: answered, all: answered, refundedMinor: answered, reservedMinor: 0 };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`the database has ${JSON.stringify(found)}, the answers ${JSON.stringify(expected)}`);
}

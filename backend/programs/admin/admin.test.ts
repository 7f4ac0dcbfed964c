import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBusiness } from '@florin/shared/contracts/api-v1/business.ts';
import { supportCodeOf } from '@florin/shared/signing/support-code.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { everythingIn } from '../../../test/support/dump.ts';
import { aShop } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { runAdmin } from './run.ts';

/** Runs one command line in this process. */
async function admin(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const print = (text: string) => {
    out += `${text}\n`;
  };
  const printError = (text: string) => {
    err += `${text}\n`;
  };
  const code = await runAdmin({ args: [...args, '--data', data], env: {}, print, printError });
  return { code, out, err };
}

async function json(data: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await admin(data, ...args, '--json');
  expect(code, err).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

test('an empty backend is set up from the command line, and its audit log and an export of it verify', async () => {
  const { settings, backend, url } = await aBackend();
  const { data } = settings;
  const { business } = (await json(data, 'business', 'create', '--name', 'Shop')) as { business: { id: string } };
  expect(getBusiness.responses[200].schema.parse(business)).toEqual(business);
  const { key } = await json(data, 'api-key', 'create', '--name', 'till', '--permissions', 'devices:read');
  const listed = await fetch(`${url}/api/v1/devices`, { headers: { authorization: `Bearer ${String(key)}` } });
  expect(listed.status).toBe(200);
  const { enrolmentCode } = await json(data, 'terminal', 'create', '--name', 'Till 1');
  const staffFlags = ['--number', '17', '--name', 'Ann', '--may-refund-and-void', '--daily-limit', '10000'];
  const { temporaryPassword } = await json(data, 'staff', 'create', ...staffFlags);
  const taken = await admin(data, 'staff', 'create', ...staffFlags);
  expect([taken.code, taken.err]).toEqual([1, 'Staff number 17 is taken\n']);
  await json(data, 'settings', 'set', '--password-protection', 'off');
  expect((await backend.services.businesses.find(business.id))?.passwordProtectRefundsAndVoids).toBe(false);

  expect(await json(data, 'audit', 'verify')).toMatchObject({ kind: 'intact', entries: 4 });
  const { head } = (await json(data, 'audit', 'verify')) as { head: string };
  expect(await json(data, 'audit', 'verify', '--head', `4:${head}`)).toMatchObject({ kind: 'intact' });
  const gone = await admin(data, 'audit', 'verify', '--head', `3:${head}`);
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('does not contain the head noted earlier')]);
  const file = join(data, 'audit.jsonl');
  await json(data, 'audit', 'export', '--file', file);
  expect((await admin(data, 'audit', 'verify', '--file', file, '--head', `3:${head}`)).code).toBe(1);
  expect(await json(data, 'audit', 'verify', '--file', file)).toMatchObject({ kind: 'intact', entries: 4 });
  writeFileSync(file, readFileSync(file, 'utf8').replace('Ann', 'Bob'));
  expect((await admin(data, 'audit', 'verify', '--file', file)).code).toBe(1);

  const kept = await everythingIn(backend.database);
  for (const secret of [key, enrolmentCode, temporaryPassword]) {
    expect(String(secret).length).toBeGreaterThan(8);
    expect(kept).not.toContain(String(secret));
  }
});

test('a wrong command line is refused with the reason, before anything is opened', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-admin-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, 'never');
  const wrong: readonly (readonly [args: string[], message: string])[] = [
    [['business', 'destroy'], "unknown command 'destroy'"],
    [['business', 'create', '--nmae', 'x'], "'--nmae'"],
    [['business', 'create'], '--name: is required'],
    [['business', 'create', '--name', 'x', '--currency', 'GPB'], '--currency: must be a three-letter'],
    [['business', 'create', '--name', 'x', '--time-zone', 'Mars/Base'], '--time-zone: must be a time zone'],
    [['api-key', 'create', '--name', 'x', '--permissions', 'all'], '--permissions: '],
    [['api-key', 'create', '--name', 'x'], '--permissions: must have at least one permission'],
    [['staff', 'create', '--number', '1\r\n2', '--name', 'x'], '--number: must be'],
    [['staff', 'create', '--number', '1', '--name', 'x', '--daily-limit', '10.50'], '--daily-limit: must be a whole'],
    [['staff', 'create', '--number', '1', '--name', 'A\u0000nn'], '--name: must be one line'],
    [['business', 'create', '--name', '\u001b[31mShop'], '--name: must be one line'],
    [['terminal', 'create', '--name', 'Till\u2028 1'], '--name: must be one line'],
    [['api-key', 'create', '--name', 'a\u009bb'], '--name: must be one line'],
    [['staff', 'unlock', '--number', '1', '--business', 'b\nb'], '--business: must be one line'],
  ];
  const responses = await Promise.all(wrong.map(([args]) => admin(data, ...args)));
  for (const [index, { code, err }] of responses.entries()) {
    expect([code, err]).toEqual([2, expect.stringContaining(wrong[index]?.[1] ?? '?')]);
  }
  expect(existsSync(data)).toBe(false);
});

test('a read command without a database creates none and reports the error in one line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-admin-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, 'nothing');
  for (const words of [
    ['audit', 'verify'],
    ['business', 'list'],
    ['staff', 'list'],
    ['terminal', 'create', '--name', 'T'],
    ['backup', 'create', '--file', join(directory, 'backup')],
  ]) {
    const { code, err } = await admin(data, ...words);
    expect([code, err]).toEqual([1, expect.stringMatching(/^There is no database in [^\n]*\n$/)]);
  }
  expect(existsSync(data)).toBe(false);
});

test('control characters in stored text are printed as escapes', async () => {
  const { settings, backend } = await aBackend();
  await backend.services.businesses.create({
    name: '\u001b[2JShop',
    countryCode: 'GB',
    currency: 'GBP',
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  const { out } = await admin(settings.data, 'business', 'list');
  expect(out).toContain('\\u{1b}[2JShop');
  expect(out).not.toContain('\u001b');
});

test('a discrepancy is listed on two lines: its subject and its meaning', async () => {
  const { world, business, aLink, pay, refund, sandbox } = await aShop('sqlite');
  const { id } = await aLink(2_600);
  await pay(id);
  sandbox.control.settle();
  await refund(id, { kind: 'CANCEL' });
  const { out } = await admin(world.settings.data, 'discrepancy', 'list', '--business', business.id);
  expect(out).toMatch(
    /^dis_\w+ {2}\S+ {2}settlement_rejected {2}pay_\w+ {2}needs acknowledgement\n {4}The bank rejected [^\n\\]+\n$/,
  );
});

test('the files it creates are readable by their owner only', () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-admin-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, 'made', 'here');
  execFileSync(process.execPath, [
    join(import.meta.dirname, 'cli.ts'),
    'business',
    'create',
    '--name',
    'x',
    '--data',
    data,
  ]);
  const modes = [join(directory, 'made'), data, ...readdirSync(data).map(file => join(data, file))].map(path =>
    (statSync(path).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', ...readdirSync(data).map(() => '600')]);
});

test('a sale is found by the support code that a terminal shows', async () => {
  const { world, business } = await aShop('sqlite');
  const till = await aTill(world, await business.key('team:read', 'team:write', 'devices:write'));
  await till.sell(1_000);
  const { saleId, paymentId } = await till.sell(2_000);
  const code = supportCodeOf(saleId);
  const { data } = world.settings;
  const typed = `${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`;
  const found = await json(data, 'sale', 'find', '--code', typed);
  expect(found).toMatchObject({ sales: [{ id: paymentId, saleId, amountMinor: 2_000 }] });
  const facts = 'id saleId invoiceNumber amountMinor currency status terminalId createdAt';
  expect((found.sales as object[]).map(sale => Object.keys(sale).join(' '))).toEqual([facts]);
  expect(await json(data, 'sale', 'find', '--code', 'BBBBBB')).toEqual({ sales: [] });
  expect((await admin(data, 'sale', 'find', '--code', 'O0O0O0')).err).toContain('must be a support code');
});

test('a comparison says that there is nothing to compare, and an empty variable is one that is not set', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'florin-admin-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  await admin(directory, 'business', 'create', '--name', 'The Shop');
  for (const noun of ['gateway-account', 'bitcoin-backend'])
    expect((await admin(directory, noun, 'compare', '--since', '2026-11-28T21:00:00Z')).out).toMatch(
      /^No business has a .*: there is nothing to compare\n$/,
    );
  let said = '';
  const print = (text: string) => {
    said += text;
  };
  const args = ['backup', 'create', '--file', join(directory, 'b'), '--data', directory];
  const env = { BACKUP_PASSPHRASE_FILE: '' };
  expect([await runAdmin({ args, env, print, printError: print }), said]).toEqual([
    0,
    expect.stringMatching(/rows of/),
  ]);
});

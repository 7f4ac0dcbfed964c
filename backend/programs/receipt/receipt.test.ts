import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import type { SignedReceipt } from '@florin/shared/receipts/document.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aShop } from '../../../test/support/shop.ts';
import { runReceipt } from './run.ts';

async function aSignedReceipt() {
  const { world, business, client, key, aLink, pay, refund } = await aShop('sqlite');
  const link = await aLink(1_000);
  const { id } = await pay(link.id);
  const read = await client.call(getPayment, { params: { id } }, { key });
  if (read.status !== 200) throw new Error(JSON.stringify(read.body));
  const address = `${read.body.receipt?.url}/receipt.json`;
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  const document = (await (await fetch(address)).json()) as SignedReceipt;
  const keysAddress = `${world.url}/.well-known/florin-receipts/${business.id}.json`;
  const keys: unknown = await (await fetch(keysAddress)).json();
  const folder = mkdtempSync(join(tmpdir(), 'florin-receipt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  function file(name: string, content: unknown): string {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }
  async function run(...args: string[]) {
    const [out, errors]: [string[], string[]] = [[], []];
    const code = await runReceipt({
      args: ['verify', ...args],
      now: () => world.clock.now(),
      print: text => void out.push(text),
      printError: text => void errors.push(text),
    });
    return { code, out: out.join('\n'), errors: errors.join('\n') };
  }
  async function voidIt(): Promise<void> {
    expect((await refund(link.id, { kind: 'CANCEL' })).status).toBe(201);
    await expect
      .poll(async () => (await (await fetch(address)).json()) as unknown)
      .toMatchObject({ remainingMinor: 0 });
  }
  return { world, business, document, keys, file, run, voidIt };
}

const saying = (text: string) => expect.stringContaining(text) as string;

test('a receipt is valid and current by its known issuer, or by saved keys', async () => {
  const { world, business, document, keys, file, run } = await aSignedReceipt();
  const receipt = file('receipt.json', document);
  const keysFile = file('keys.json', keys);
  const known = await run(receipt, '--issuer', world.url);
  expect(known).toMatchObject({ code: 0, errors: '', out: saying('Valid and current.') });
  expect(known.out).toContain(
    'Sale of £10.00 on Sat, 21 Nov 2026 09:30:00 GMT, invoice INV-000001. Left of the sale: £10.00.',
  );
  expect(known.out).toContain(`Signed by Corner Shop (${business.id}) on Sat, 21 Nov 2026 09:30:00 GMT`);
  expect(await run(receipt, '--keys', keysFile)).toMatchObject({ code: 0, out: saying('Valid and current.') });
});

test('one that was issued before a void is superseded, and without a network valid as of its time only', async () => {
  const { world, document, keys, file, run, voidIt } = await aSignedReceipt();
  const receipt = file('receipt.json', document);
  const keysFile = file('keys.json', keys);
  await voidIt();
  for (const issuer of [
    ['--issuer', world.url],
    ['--keys', keysFile],
  ]) {
    const replayed = await run(receipt, ...issuer);
    expect(replayed).toMatchObject({ code: 3, out: saying('Superseded: the receipt has changed since.') });
    expect(replayed.out).toContain('Voided on Sat, 21 Nov 2026 09:30:00 GMT: £10.00.\nLeft of the sale: £0.00.');
  }
  const offline = await run(receipt, '--keys', keysFile, '--offline');
  expect(offline).toMatchObject({ code: 0, out: saying(`open the receipt as it is now: ${document.url}`) });
  expect(offline.out.split('\n')[0]).toBe('Valid as of Sat, 21 Nov 2026 09:30:00 GMT; it may have changed since.');
  const unanswered = await run(receipt, '--keys', keysFile, '--issuer', 'http://127.0.0.1:1');
  expect(unanswered).toMatchObject({ code: 5, out: saying('did not answer with the receipt as it is now') });
  expect(await run(receipt, '--offline')).toMatchObject({ code: 2, errors: saying('--offline needs --keys') });
});

test('an answer that was stored before a void does not prove that nothing has changed', async () => {
  const { world, document, keys, file, run } = await aSignedReceipt();
  const stored = createServer((_, response) => void response.end(JSON.stringify(document))).listen(0, '127.0.0.1');
  onTestFinished(() => void stored.close());
  await once(stored, 'listening');
  const issuer = `http://127.0.0.1:${(stored.address() as AddressInfo).port}`;
  const args = [file('receipt.json', document), '--keys', file('keys.json', keys), '--issuer', issuer];
  expect(await run(...args)).toMatchObject({ code: 0 });
  world.clock.advance({ minutes: 6 });
  expect(await run(...args)).toMatchObject({ code: 5, out: saying('Valid as of') });
});

test('one of another service in the name of the business is refused', async () => {
  const { world, file, run } = await aSignedReceipt();
  const foreign = await aSignedReceipt();
  const receipt = file('receipt.json', foreign.document);
  const unconfirmed = await run(receipt);
  expect(unconfirmed).toMatchObject({ code: 4, out: saying('Signed, but the issuer is not confirmed.') });
  expect(unconfirmed.out).toContain(`published at ${foreign.world.url} in the name of Corner Shop`);
  expect(await run(receipt, '--issuer', world.url)).toMatchObject({ code: 1, out: saying('Not valid.') });
  expect(await run(receipt, '--issuer', 'http://shop.example')).toMatchObject({ code: 2, errors: saying('--issuer') });
});

test('one that was changed, is none or cannot be checked is refused, with the reason', async () => {
  const { document, keys, file, run } = await aSignedReceipt();
  const keysFile = file('keys.json', keys);
  const refused = async (content: unknown) => run(file('receipt.json', content), '--keys', keysFile);
  expect(await refused({ ...document, amountMinor: 100 })).toMatchObject({
    code: 1,
    out: saying('It was changed after it was signed'),
  });
  const text = JSON.stringify(document);
  for (const ambiguous of [
    text.replace('"amountMinor":1000', '"amountMinor":999999,"amountMinor":1000'),
    text.replace('"amountSats":null', '"amountSats":1e999'),
    text.replace('"amountMinor":1000', '"amountMinor":1000.0'),
    text.replace(/"id":"biz_\w+"/, '"id":"\\ud800"'),
    '{}',
  ]) {
    expect(ambiguous).not.toBe(text);
    expect(await refused(ambiguous)).toMatchObject({ code: 1, out: saying('not a signed receipt') });
  }
  expect(await refused(JSON.stringify(document, null, 2))).toMatchObject({ code: 0 });
  expect(await refused('{')).toMatchObject({ code: 6, errors: saying('is not JSON') });
  const elsewhere = { ...document, url: 'http://127.0.0.1:1/r/x' };
  expect(await run(file('receipt.json', elsewhere))).toMatchObject({
    code: 6,
    errors: saying('The keys could not be loaded'),
  });
  expect(await run('/nowhere/receipt.json')).toMatchObject({ code: 6 });
  expect(await run()).toMatchObject({ code: 2 });
});

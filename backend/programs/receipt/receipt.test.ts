import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, onTestFinished, test } from 'vitest';
import { aShop } from '../../../test/support/shop.ts';
import { runReceipt } from './run.ts';

async function aSignedReceipt() {
  const { world, business, client, key, aLink, pay } = await aShop('sqlite');
  const { id } = await pay((await aLink(1_000)).id);
  const read = await client.call(getPayment, { params: { id } }, { key });
  if (read.status !== 200) throw new Error(JSON.stringify(read.body));
  const address = `${read.body.receipt?.url}/receipt.json`;
  await expect.poll(async () => (await fetch(address)).status).toBe(200);
  const document = (await (await fetch(address)).json()) as Record<string, unknown>;
  const keys: unknown = await (await fetch(`${world.url}/.well-known/florin-receipts/${business.id}.json`)).json();
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
  return { world, business, document, keys, file, run };
}

test('a receipt as it was downloaded is valid: with saved keys, and with those of the service', async () => {
  const { world, business, document, keys, file, run } = await aSignedReceipt();
  const saved = await run(file('receipt.json', document), '--keys', file('keys.json', keys));
  expect(saved).toMatchObject({ code: 0, errors: '' });
  expect(saved.out).toContain('Valid.');
  expect(saved.out).toContain(`Signed by Corner Shop (${business.id}) on Sat, 21 Nov 2026 09:30:00 GMT`);
  const loaded = await run(file('receipt.json', document));
  expect(loaded.code).toBe(0);
  expect(loaded.out).toContain(`Keys from ${world.url}/.well-known/florin-receipts/${business.id}.json`);
});

test('one that was changed, is none or cannot be checked is refused, with the reason', async () => {
  const { document, keys, file, run } = await aSignedReceipt();
  const keysFile = file('keys.json', keys);
  const refused = async (content: unknown) => run(file('receipt.json', content), '--keys', keysFile);
  expect(await refused({ ...document, amountMinor: 100 })).toMatchObject({
    code: 1,
    out: expect.stringContaining('It was changed after it was signed') as string,
  });
  expect(await refused({})).toMatchObject({ code: 1, out: expect.stringContaining('not a signed receipt') as string });
  expect(await refused('{')).toMatchObject({ code: 1, errors: expect.stringContaining('is not JSON') as string });
  const elsewhere = { ...document, url: 'http://127.0.0.1:1/r/x' };
  expect(await run(file('receipt.json', elsewhere))).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The keys could not be loaded') as string,
  });
  expect(await run('/nowhere/receipt.json')).toMatchObject({ code: 1 });
  expect(await run()).toMatchObject({ code: 2 });
});

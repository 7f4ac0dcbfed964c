import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startMailboxSandbox } from '@florin/backend/programs/sandbox/mailbox/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { createLinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment } from '@florin/shared/contracts/api-v1/payments.ts';
import { createCardRefundOfPayment } from '@florin/shared/contracts/api-v1/refunds.ts';
import { receiptText, type SignedReceipt } from '@florin/shared/receipts/document.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import { type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { desktop, expectGoodPage, opened, type Payers, phone, startPayers } from './payer.ts';

let shop: Payers;
let mailbox: Awaited<ReturnType<typeof startMailboxSandbox>>;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-receipt-page-'));
  mailbox = await startMailboxSandbox();
  shop = await startPayers({ SMTP_URL: mailbox.smtpUrl, MAIL_FROM: 'Florin <florin@shop.example>' });
  const change = {
    addressLines: ['1 High Street', 'London W1A 1AA'],
    receiptFooter: 'Thank you. Goods can be returned within 30 days.',
  };
  await shop.backend.services.businesses.settings.change(shop.businessId, change, operator);
});
test.afterAll(async () => {
  await shop.end();
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function aReceipt(): Promise<{ readonly id: string; readonly url: string }> {
  const { client, key } = shop;
  const link = await shop.aLink();
  const body = { paymentToken: await shop.paymentToken() };
  const paid = await client.call(createLinkPayment, { params: { id: link.id }, body }, { key });
  if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
  const { id } = paid.body;
  const read = await client.call(getPayment, { params: { id } }, { key });
  const url = read.status === 200 ? (read.body.receipt?.url ?? '') : '';
  await expect.poll(async () => (await fetch(url)).status).toBe(200);
  return { id, url };
}

const german: BrowserContextOptions = { ...phone, locale: 'de-DE' };
const narrow: BrowserContextOptions = { viewport: { width: 320, height: 640 }, locale: 'de-DE', colorScheme: 'dark' };

for (const [name, look, title] of [
  ['phone', phone, 'Receipt'],
  ['german', german, 'Beleg'],
  ['narrow', narrow, 'Beleg'],
  ['desktop', desktop, 'Receipt'],
] as const) {
  test(`the page of a receipt is good on ${name}, and prints on one sheet`, async ({ browser }) => {
    const { url } = await aReceipt();
    const { context, page, requests, errors } = await opened(browser, look, url);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('•••• 0821'.replaceAll(' ', '\u00a0'))).toBeVisible();
    await expectGoodPage(page, `receipt-1-${name}`);
    expect(new Set(requests.map(each => new URL(each.url).origin).filter(origin => origin !== 'null'))).toEqual(
      new Set([shop.url]),
    );
    expect(errors).toEqual([]);
    await expectOnPaper(page);
    await context.close();
  });
}

async function expectOnPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button')).toHaveCount(0);
  const sheets = async (paper: Parameters<Page['pdf']>[0]) =>
    (await page.pdf(paper)).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
  expect(await sheets({ format: 'A4' })).toBe(1);
  expect(await sheets({ width: '80mm', height: '200mm', margin: { left: '4mm', right: '4mm' } })).toBe(1);
  await page.emulateMedia({ media: null });
}

test('a customer reads it in another language, and has it sent, without a script', async ({ browser }) => {
  const { url } = await aReceipt();
  const { context, page } = await opened(browser, { ...phone, javaScriptEnabled: false }, url);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Beleg' })).toBeVisible();
  await page.getByLabel('E-Mail-Adresse').fill('kunde@shop.example');
  await page.getByRole('button', { name: 'Senden' }).click();
  await expect(page.getByText('Der Beleg ist unterwegs.')).toBeVisible();
  await expect.poll(() => mailbox.received.map(({ subject }) => subject)).toContain('Ihr Beleg von Corner Shop');
  await expect(page.getByRole('link', { name: 'English' })).toBeVisible();
  await context.close();
});

test('later refunds are on it, and theirs lead back to it', async ({ browser }) => {
  const { id, url } = await aReceipt();
  shop.gateway.control.settle();
  const body = { kind: 'REFUND_SALE', amountInCents: 250 } as const;
  const refunded = await shop.client.call(createCardRefundOfPayment, { params: { id }, body }, { key: shop.key });
  expect(refunded.status).toBe(201);
  const { context, page } = await opened(browser, phone, url);
  await expect(page.getByRole('region', { name: 'Since then' })).toContainText('£2.50');
  await expectGoodPage(page, 'receipt-2-refunded');
  await page.getByRole('link', { name: /^Refunded/ }).click();
  await expect(page.getByRole('heading', { name: 'Receipt of a refund' })).toBeVisible();
  await expectGoodPage(page, 'receipt-3-refund');
  await page.getByRole('link', { name: /^Of the sale of £12.50/ }).click();
  await expect(page).toHaveURL(url);
  await context.close();
});

test('an address without a receipt says so', async ({ browser }) => {
  const { context, page } = await opened(browser, german, `${shop.url}/r/${'A'.repeat(22)}`);
  await expect(page.getByRole('heading', { name: 'Unter dieser Adresse gibt es keinen Beleg' })).toBeVisible();
  await expectGoodPage(page, 'receipt-4-unknown');
  await context.close();
});

test('the page that checks signed receipts asks its own service, and works once it is saved, without a network', async ({
  browser,
}) => {
  const { id, url } = await aReceipt();
  const receipt = await (await fetch(`${url}/receipt.json`)).text();
  const keys = await (await fetch(`${shop.url}/.well-known/florin-receipts/${shop.businessId}.json`)).text();
  const file = join(folder, 'receipt.json');
  writeFileSync(file, receipt);
  const { context, page, requests, errors } = await opened(browser, phone, `${shop.url}/receipts/verify`);
  const found = (name: string | RegExp) => expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  await page.locator('#receipt-file').setInputFiles(file);
  await found('Valid and current.');
  await expect(page.locator('#verdict')).toContainText('Signed by Corner Shop');
  await expectGoodPage(page, 'receipt-5-verified');
  await page.locator('#receipt-text').fill(receipt.replace('1250', '2250'));
  await found('Not valid.');
  await expectGoodPage(page, 'receipt-6-forged');
  // Texts that other readers understand otherwise, and one that no address can contain.
  for (const [what, instead] of [
    [/"amountMinor": 1250/, '"amountMinor": 999999, "amountMinor": 1250'],
    [/"amountSats": null/, '"amountSats": 1e999'],
    [/"id": "biz_\w+"/, '"id": "\\ud800"'],
  ] as const) {
    await page.locator('#receipt-text').fill(receipt);
    await found('Valid and current.');
    expect(receipt).toMatch(what);
    await page.locator('#receipt-text').fill(receipt.replace(what, () => instead));
    await found('Not valid.');
  }
  await page.locator('#receipt-text').fill(foreign(receipt));
  await found('Not valid.');
  const body = { kind: 'CANCEL' } as const;
  await shop.client.call(createCardRefundOfPayment, { params: { id }, body }, { key: shop.key });
  await expect.poll(async () => (await fetch(`${url}/receipt.json`)).text()).toContain('"remainingMinor": 0');
  await page.locator('#receipt-text').fill(receipt);
  await found('Superseded: the receipt has changed since.');
  await expect(page.locator('#verdict')).toContainText(/Voided on .*: £12\.50\./);
  await expectGoodPage(page, 'receipt-7-superseded');
  expect(new Set(requests.map(each => new URL(each.url).origin))).toEqual(new Set([shop.url]));
  expect(errors).toEqual([]);

  const saved = join(folder, 'verify.html');
  writeFileSync(saved, await (await fetch(`${shop.url}/receipts/verify`)).text());
  await page.goto(pathToFileURL(saved).href);
  await page.locator('#receipt-file').setInputFiles(file);
  await found('Superseded: the receipt has changed since.');
  await context.setOffline(true);
  await page.goto(pathToFileURL(saved).href);
  await page.locator('#receipt-file').setInputFiles(file);
  await found('Not checked.');
  await page.getByText('Check without a network', { exact: true }).click();
  await page.getByLabel('Saved keys of the business').fill(keys);
  await found(/^Valid as of .*; it may have changed since\.$/);
  await expectGoodPage(page, 'receipt-8-without-network');
  expect(readFileSync(saved, 'utf8')).not.toMatch(/(?:src|href)="(?!data:)/);
  await context.close();
});

/** The same in the name of the business, signed with a key that another address publishes. */
function foreign(receipt: string): string {
  const { privateKey } = keyPairOf(Buffer.alloc(32, 1));
  const url = `http://127.0.0.1:1/r/${'A'.repeat(22)}`;
  const document = { ...(JSON.parse(receipt) as SignedReceipt), url, keyId: 'rkey_other' };
  return JSON.stringify({ ...document, signature: signText(privateKey, receiptText(document)) });
}

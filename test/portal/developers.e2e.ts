import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { expect, type Page, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { type Portal, signedIn, startPortal, type User } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
let developer: User;
test.beforeAll(async () => {
  portal = await startPortal();
  developer = await portal.aUser('developer');
});
test.afterAll(() => portal.end());

/** The web server of a shop, which keeps the last request and answers as it is told. */
async function aReceiver() {
  const answer = { status: 200, text: 'ok' };
  const last = { signature: '', body: '' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      last.signature = String(request.headers['x-webhook-signature']);
      last.body = Buffer.concat(chunks).toString();
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    answer,
    last,
    end: () => new Promise(done => server.close(done)),
  };
}

/** Gives the password that a sensitive change asks for. */
async function confirm(page: Page, user: User): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** The secret that a dialog shows once. */
const secretOn = (page: Page) => page.locator('dialog .copy-line code').first().innerText();

test('a developer makes a key in three presses, sees it once, uses it and revokes it', async ({ browser }) => {
  const { page, context, faults } = await signedIn(browser, developer, portal.page());
  portal.setForward(6);
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByLabel('Name').fill('Bookkeeping');
  // Of the presets only those whose permissions the developer holds can be chosen, and the page says so.
  expect(await page.getByLabel('Used for').locator('option:enabled').allInnerTexts()).toEqual(['Custom']);
  await expect(page.getByText('Reporting: needs permissions that you do not have')).toBeVisible();
  await page.getByLabel('View payments').check();
  await expectGoodPage(page, 'portal-key-1-new');
  await page.getByRole('button', { name: 'Create key' }).click();
  await confirm(page, developer);
  await expect(page.getByRole('heading', { name: 'The key “Bookkeeping”' })).toBeVisible();
  await expectGoodPage(page, 'portal-key-2-shown');
  const key = await secretOn(page);
  await expect(page.getByText(`curl -H "Authorization: Bearer ${key}" ${portal.url}/api/v1/payments`)).toBeVisible();
  expect(key).toMatch(/^florin_api_live_/);
  expect((await portal.client.call(listPayments, {}, { key })).status).toBe(200);

  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Bookkeeping' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'take-payments:read' })).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);
  await expectGoodPage(page, 'portal-key-3');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
  expect((await portal.client.call(listPayments, {}, { key })).status).toBe(401);
  expect(faults()).toEqual([]);
  await context.close();
});

test('a developer sees why a webhook failed, sends it again, and why a signature is not accepted', async ({
  browser,
}) => {
  const receiver = await aReceiver();
  const { page, context, faults } = await signedIn(browser, developer, portal.page('/dev/webhooks?new=1'));
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('Purpose').fill('Order system');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(page.getByRole('heading', { name: 'The signing secret' })).toBeVisible();
  const secret = await secretOn(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Order system' })).toBeVisible();

  // Where events are sent is as sensitive as a new endpoint.
  portal.setForward(6);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Address').fill(`${receiver.url}/moved`);
  await page.getByRole('button', { name: 'Save' }).click();
  await confirm(page, developer);
  await expect(page.getByText(`${receiver.url}/moved`)).toBeVisible();

  Object.assign(receiver.answer, { status: 503, text: 'the database is locked' });
  await portal.aPayment(1_340);
  await page.getByRole('row').filter({ hasText: 'HTTP 503' }).getByRole('link').click();
  await page.getByText('Response').click();
  await expect(page.getByText('the database is locked')).toBeVisible();
  await page.getByText('Request').click();
  await expect(page.getByText('X-Webhook-Attempt: 1')).toBeVisible();
  await expectGoodPage(page, 'portal-webhook-delivery');
  await expect(page.getByText('Sends it at once, in a new series')).toBeVisible();
  await page.getByRole('link', { name: 'Open the payment link' }).click();
  await expect(page).toHaveURL(/\/links\/pl_/);
  await page.goBack();
  await page.getByRole('button', { name: 'Close' }).click();
  // It is seen at once, long before the last attempt.
  await expect(page.getByText(/Failing since \d\d:\d\d: HTTP 503/).first()).toBeVisible();
  await expectGoodPage(page, 'portal-webhook-failing');
  await page.goto(portal.page('/problems'));
  await expect(page.getByText('Webhook endpoint failing')).toBeVisible();
  await page.goto(portal.page('/dev/webhooks'));
  await expect(page.getByText(/Failing since \d\d:\d\d: HTTP 503/)).toBeVisible();
  await page.getByRole('link', { name: 'Order system' }).click();
  await page.getByRole('row').filter({ hasText: 'HTTP 503' }).getByRole('link').click();
  Object.assign(receiver.answer, { status: 200, text: 'ok' });
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.locator('.timeline').getByText('Delivered')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Enabled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable endpoint' }).click();
  await expect(page.getByText('Disabled by hand since')).toBeVisible();
  await expectGoodPage(page, 'portal-webhook-disabled');
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('row').filter({ hasText: 'Delivered' }).getByRole('link').click();

  await page.getByRole('link', { name: 'Check its signature' }).click();
  await expect(page.getByLabel('Body, as it was received')).toHaveValue(receiver.last.body);
  await page.getByLabel('Signing secret').fill('florin_api_live_nothing');
  await page.getByLabel('Header x-webhook-signature').fill(receiver.last.signature.replace(/^t=\d+,/, ''));
  await expect(page.getByText('There is no t= part')).toBeVisible();
  await page.getByLabel('Header x-webhook-signature').fill(receiver.last.signature);
  await expect(page.getByText('This is an API key')).toBeVisible();
  await page.getByLabel('Signing secret').fill(secret);
  await expect(page.getByText('The signature matches')).toBeVisible();
  const written = JSON.stringify(JSON.parse(receiver.last.body), undefined, 2);
  await page.getByLabel('Body, as it was received').fill(written);
  await expect(page.getByText('Use the raw body.')).toBeVisible();
  await expectGoodPage(page, 'portal-signature');
  expect(faults()).toEqual([]);
  await context.close();
  await receiver.end();
});

test('the address of an area leads to the first page that the user may see there, which names the tab', async ({
  browser,
}) => {
  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/dev/keys'));
  await expect(page).toHaveTitle(/^API keys · Corner Shop/);
  await page.goto(portal.page('/dev'));
  await expect(page).toHaveURL(portal.page('/dev/keys'));
  await page.goto(portal.page('/settings'));
  await expect(page).toHaveURL(portal.page('/settings/business'));
  await page.goto(portal.page('/nowhere'));
  await expect(page).toHaveTitle(/^There is nothing at this address/);
  expect(faults()).toEqual([]);
  await context.close();
});

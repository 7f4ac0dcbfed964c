import { createLinkPayment } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { createCardRefundOfPayment, listRefunds } from '@florin/shared/contracts/api-v1/refunds.ts';
import { takeGatewayCallback } from '@florin/shared/contracts/callbacks.ts';
import { expect, type Page, test } from '@playwright/test';
import { signed } from '../conformance/gateway/wire-client.ts';
import { expectGoodPage } from '../pages/payer.ts';
import { type Portal, signedIn, startPortal } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

/** The refunds of a payment, as the service has them. */
async function refundsOf(paymentId: string) {
  const listed = await portal.client.call(listRefunds, { query: { paymentId } }, { key: portal.key });
  if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
  return listed.body.items.map(({ amountInCents, status }) => [amountInCents, status]);
}

/** Opens the form that returns money of the payment on screen. */
async function openRefund(page: Page, amount: string) {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByLabel('Amount to return').fill(amount);
}

test('a list that was not looked through to its end says how far it was', async ({ browser }) => {
  const address = portal.page('/payments?status=partly_refunded');
  const { page, context } = await signedIn(browser, portal.owner, address);
  const part = { items: [], nextCursor: 'older', searchedFor: null, searchedBackTo: '2026-11-03T09:30:00.000Z' };
  await page.route('**/portal/api/*/payments?*', route => route.fulfill({ json: part }));
  await page.reload();
  await expect(page.getByText(/^Searched back to 3 Nov 2026/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Older' }).or(page.getByRole('button', { name: 'Older' }))).toBeVisible();
  await context.close();
});

test('a payment that was found by the beginning of its reference shows the reference', async ({ browser }) => {
  const link = await portal.aLink({ amountInCents: 1_260, externalReference: 'Order-4711/B' });
  const body = { paymentToken: await portal.paymentToken() };
  await portal.client.call(createLinkPayment, { params: { id: link.id }, body }, { key: portal.key });
  const { page, context } = await signedIn(browser, portal.cashier, portal.page('/payments?q=order-47'));
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('£12.60');
  await expect(row).toContainText('Order-4711/B');
  await expectGoodPage(page, 'portal-payments-by-reference');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Payments, newest first' })).toContainText('Order-4711/B');
  await expectGoodPage(page, 'portal-payments-by-reference-phone');
  await context.close();
});

test('a view is shared with the business, and whoever may not change it cannot remove it', async ({ browser }) => {
  const manager = await signedIn(browser, portal.manager, portal.page('/payments?status=declined'));
  const views = (page: Page) => page.getByRole('list', { name: 'Saved views' });
  for (const [name, isShared] of [
    ['Mine', false],
    ['Declined cards', true],
  ] as const) {
    await manager.page.getByRole('button', { name: 'Save this view' }).click();
    await manager.page.getByLabel('Name of the view').fill(name);
    if (isShared) await manager.page.getByLabel('Share it with the business').check();
    await manager.page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(views(manager.page).getByRole('link', { name })).toBeVisible();
  }
  await expectGoodPage(manager.page, 'portal-saved-views');
  const cashier = await signedIn(browser, portal.cashier, portal.page('/payments'));
  await expect(views(cashier.page).getByRole('link')).toHaveText(['Declined cards']);
  await expect(views(cashier.page).getByRole('button')).toHaveCount(0);
  await views(cashier.page).getByRole('link').click();
  await expect(cashier.page).toHaveURL(portal.page('/payments?status=declined'));
  await cashier.page.getByRole('button', { name: 'Save this view' }).click();
  await expect(cashier.page.getByLabel('Name of the view')).toBeVisible();
  await expect(cashier.page.getByLabel('Share it with the business')).toHaveCount(0);
  await manager.page.getByRole('button', { name: 'Delete the view Declined cards' }).click();
  await expect(manager.page.getByText('It disappears for everybody in the business')).toBeVisible();
  await manager.page.getByRole('button', { name: 'Delete the view', exact: true }).click();
  await expect(views(manager.page).getByRole('link')).toHaveText(['Mine']);
  await manager.page.getByRole('button', { name: 'Delete the view Mine' }).click();
  await manager.page.getByRole('button', { name: 'Undo' }).click();
  await expect(views(manager.page).getByRole('link')).toHaveText(['Mine']);
  expect([manager.faults(), cashier.faults()]).toEqual([[], []]);
  await Promise.all([manager.context.close(), cashier.context.close()]);
});

test('a cashier finds payments, and is not shown what they may not do', async ({ browser }) => {
  const id = await portal.aPayment(1_820);
  const { page, context, faults } = await signedIn(browser, portal.cashier, portal.page());
  const areas = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(areas.filter({ hasText: 'Payments' })).toBeVisible();
  for (const name of ['Staff', 'Developers']) await expect(areas.filter({ hasText: name })).toHaveCount(0);
  await page.goto(portal.page(`/payments/${id}`));
  await expect(page.getByRole('heading', { name: 'Payment of £18.20' })).toBeVisible();
  await expect(page.getByText('Your payment of £18.20 was taken')).toBeVisible();
  const receipt = page.getByRole('link', { name: 'Open the receipt' });
  await expect(receipt).toHaveAttribute('href', /\/r\/[0-9A-Za-z]{22}$/);
  await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0);
  await page.goto(portal.page('/staff'));
  await expect(page.getByRole('heading', { name: 'You may not see this page' })).toBeVisible();
  await expect(page.getByText('View team')).toBeVisible();
  await expect(page.getByRole('link', { name: 'To the overview' })).toBeVisible();
  await expectGoodPage(page, 'portal-forbidden');
  const asCashier = await portal.cashier.signIn();
  expect((await asCashier.get(`/portal/api/${portal.businessId}/staff`)).status).toBe(403);
  expect(faults()).toEqual([]);
  await context.close();
});

test('a manager finds a payment by its amount and refunds a part of it, once, though the reply is lost', async ({
  browser,
}) => {
  const id = await portal.aPayment(1_710);
  const { page, context, faults } = await signedIn(browser, portal.manager, portal.page());
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('searchbox').fill('17.10');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await openRefund(page, '5');
  await expect(page.getByText('£5.00 goes back to')).toContainText('£12.10 is left');
  await page.getByLabel('Reason').fill('The pizza was cold');
  await expectGoodPage(page, 'portal-refund-1');

  const keys = new Set<string>();
  let areRepliesLost = true;
  await page.route('**/refunds/card', async route => {
    keys.add(route.request().headers()['idempotency-key'] ?? '');
    const response = await route.fetch();
    if (areRepliesLost) await route.abort('connectionreset');
    else await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Refund £5.00' }).click();
  await expect(page.getByText('Waiting for the bank')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refund £5.00' })).toBeDisabled();
  await expectGoodPage(page, 'portal-refund-2-checking');
  areRepliesLost = false;
  await page.reload();
  await expect(page.getByText('£5.00 goes back to the customer')).toBeVisible();
  expect(keys.size).toBe(1);
  expect(await refundsOf(id)).toEqual([[500, 'approved']]);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Your refund of £5.00 to Visa ••0821 was sent')).toBeVisible();
  await expect(page.getByText('Reason: The pizza was cold')).toBeVisible();
  await expectGoodPage(page, 'portal-refund-3-done');
  expect(faults()).toEqual([]);
  await context.close();
});

test('a refund is not sent where somebody else returned money in the meantime', async ({ browser }) => {
  const id = await portal.aPayment(2_000);
  const { page, context } = await signedIn(browser, portal.manager, portal.page(`/payments/${id}`));
  await openRefund(page, '5');
  await expect(page.getByText('£15.00 is left')).toBeVisible();
  const body = { kind: 'REFUND_SALE', amountInCents: 1_200 } as const;
  await portal.client.call(createCardRefundOfPayment, { params: { id }, body }, { key: portal.key });
  await page.getByRole('button', { name: 'Refund £5.00' }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was sent. Now £8.00 is left');
  await expectGoodPage(page, 'portal-refund-4-changed');
  expect(await refundsOf(id)).toEqual([[1_200, 'approved']]);
  await page.getByRole('button', { name: 'Refund £5.00' }).click();
  await expect(page.getByText('£5.00 goes back to the customer')).toBeVisible();
  expect(await refundsOf(id)).toEqual([
    [500, 'approved'],
    [1_200, 'approved'],
  ]);
  await page.getByRole('button', { name: 'Done' }).click();
  // Each of several refunds is told to the customer, and what is left to whoever types more.
  const told = page.getByRole('blockquote');
  await expect(told).toContainText('Of your payment of £20.00, £17.00 was returned to Visa ••0821 and £3.00 is left.');
  for (const refund of ['£12.00: sent on', '£5.00: sent on']) await expect(told).toContainText(refund);
  await openRefund(page, '4');
  await expect(page.getByText('Only £3.00 of £20.00 is left to refund.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refund £4.00' })).toBeDisabled();
  await expectGoodPage(page, 'portal-refund-5-too-much');
  await context.close();
});

test('a link whose payment was voided says that the money went back, and leads to a new one', async ({ browser }) => {
  const { id } = await portal.aLink({ amountInCents: 1_800 });
  const body = { paymentToken: await portal.paymentToken() };
  const paid = await portal.client.call(createLinkPayment, { params: { id }, body }, { key: portal.key });
  if (paid.status !== 201) throw new Error(JSON.stringify(paid.body));
  const voided = { params: { id: paid.body.id }, body: { kind: 'CANCEL' as const } };
  await portal.client.call(createCardRefundOfPayment, voided, { key: portal.key });
  const { page, context, faults } = await signedIn(browser, portal.manager, portal.page('/links'));
  await expect(page.getByRole('row').filter({ hasText: '£18.00' })).toContainText('Paid, then voided');
  await page.goto(portal.page(`/links/${id}`));
  await expect(page.getByText('The payment was voided: this order is not paid')).toBeVisible();
  await expect(page.getByText('left to pay')).toHaveCount(0);
  await expectGoodPage(page, 'portal-link-voided');
  await page.getByRole('link', { name: 'New link' }).click();
  await expect(page.getByRole('dialog', { name: 'New payment link' })).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

test('a problem is in the navigation until a person has decided it', async ({ browser }) => {
  const id = await portal.aPayment(990);
  const { page, context } = await signedIn(browser, portal.manager, portal.page());
  const account = await portal.backend.services.gatewayAccounts.accountForNewPayments(portal.businessId);
  await fetch(`${portal.url}${takeGatewayCallback.path.replace('{accountId}', account ?? '')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: signed({ merchantID: '100001', transactionUnique: id, responseCode: '0' }, 'wrong secret'),
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'What needs you' })).toBeVisible();
  await page.getByRole('link', { name: 'Problems one needs you' }).click();
  await page.getByRole('link', { name: 'Acknowledge' }).click();
  // Nothing depends on it: it is seen, and nobody has to prove anything. What was reported is in words.
  await expect(page.getByText('Neither records nor money depend on it')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toContainText('A callback');
  await expectGoodPage(page, 'portal-problem');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing to do' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Problems' })).toHaveCount(0);
  await context.close();
});

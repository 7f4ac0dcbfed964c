import { operator } from '@florin/shared/actor.ts';
import { createPaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { getPayment, listPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { createCardRefund } from '@florin/shared/contracts/api-v1/refunds.ts';
import { expect, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { aPortalUser } from '../support/portal.ts';
import { darkPhone, type Portal, signedIn, startPortal } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

test('a developer finds the request that was refused, why, and the payment it was about', async ({ browser }) => {
  const { client, key, backend, businessId } = portal;
  const wanted = { name: 'Bookkeeping', preset: 'CUSTOM', permissions: ['team:read'], expiresAt: null } as const;
  const made = await backend.services.apiKeys.create(businessId, wanted, operator);
  if (!made.ok) throw new Error('no key');
  const paymentId = await portal.aPayment(1_340);
  const body = { description: 'Order 7', amountInCents: 500, currency: 'GBP' } as const;
  for (const _ of [1, 2]) await client.call(createPaymentLink, { body }, { key, idempotencyKey: 'order-7' });
  await client.call(listPayments, {}, { key: made.value.secret });
  const missing = await client.call(getPayment, { params: { id: 'pay_019a8f3e6b7c7d2e8a1b2c3d4e5f6071' } }, { key });
  await client.call(
    createCardRefund,
    { params: { id: 'pl_nothing' }, body: { kind: 'REFUND_SALE', amountInCents: 1 } },
    { key },
  );

  const { page, context, faults } = await signedIn(browser, portal.owner, portal.page('/dev/requests'));
  const rows = page.locator('tbody tr');
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(rows.first()).toContainText('404 Refused', { timeout: 500 });
  }).toPass();
  await expectGoodPage(page, 'portal-requests-1');
  await rows
    .filter({ hasText: `GET /api/v1/payments/${paymentId}` })
    .first()
    .getByRole('link')
    .click();
  await page.getByRole('link', { name: 'Open the payment' }).click();
  await expect(page).toHaveURL(portal.page(`/payments/${paymentId}`));
  await page.goBack();
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Status').selectOption('Refused');
  await expect(page).toHaveURL(/outcome=refused/);
  await expect(rows).toHaveCount(3);
  await rows.filter({ hasText: 'take-payments:read' }).getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: '403 Refused' });
  await expect(drawer.getByText('A key’s permissions never change')).toBeVisible();
  await expectGoodPage(page, 'portal-requests-2-refused');
  await drawer.getByRole('link', { name: 'Bookkeeping' }).click();
  await page.getByRole('link', { name: 'Its requests' }).click();
  await expect(rows).toHaveCount(1);

  await page.goto(portal.page(`/dev/requests?outcome=ok&open=${missing.headers['x-request-id']}`));
  await expect(page.getByRole('dialog', { name: '404 Refused' }).getByText('payment_not_found')).toBeVisible();
  await page.goto(portal.page('/dev/requests?outcome=ok&path=payment-link&method=POST'));
  await rows.first().getByRole('link').click();
  await expect(page.getByRole('dialog', { name: '201 OK' }).getByText('nothing was done twice')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

test('before the first request there is one to try, and on a phone too', async ({ browser }) => {
  const other = await portal.backend.services.businesses.create({
    name: 'New Shop',
    countryCode: 'GB',
    currency: 'GBP',
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  const owner = await aPortalUser(portal, other.id, 'owner');
  const address = `${portal.url}/portal/${other.id}/dev/requests`;
  const { page, context, faults } = await signedIn(browser, owner, address, darkPhone);
  await expect(page.getByText(`curl -H "Authorization: Bearer $API_KEY" ${portal.url}/api/v1/payments`)).toBeVisible();
  await expectGoodPage(page, 'portal-requests-3-empty');
  await page.getByLabel('Request ID').fill('req_unknown');
  await expect(page.getByText('No request matches these filters')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

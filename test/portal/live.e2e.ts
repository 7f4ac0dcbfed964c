import { expect, test } from '@playwright/test';
import { type Portal, startPortal, typePassword, visit } from './portal.ts';

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

test('new payments wait in every tab until they are asked for, over one connection', async ({ browser }) => {
  const address = portal.page('/payments');
  const { page: first, context, faults } = await visit(browser, address);
  let opened = 0;
  context.on('request', request => {
    if (request.url().endsWith('/payments/subscribe')) opened += 1;
  });
  await typePassword(first, portal.owner);
  await expect(first.getByText('No payments yet')).toBeVisible();
  await expect.poll(() => opened).toBe(1);
  const second = await context.newPage();
  await second.goto(address);
  await expect(second.getByText('No payments yet')).toBeVisible();
  const earlier = await portal.aPayment(1_500);
  for (const page of [first, second]) await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(second.getByText('£15.00')).toHaveCount(0);
  await second.getByRole('button', { name: '1 new' }).click();
  await expect(second.getByRole('row').filter({ hasText: '£15.00' })).toContainText('Settled');
  expect(opened).toBe(1);

  // The tab with the connection is closed: the other one takes it over, and a row on screen changes in place.
  await first.close();
  await expect.poll(() => opened).toBe(2);
  const owner = await portal.owner.signIn();
  const refund = { kind: 'REFUND_SALE', amountInCents: 500 };
  const refunded = await owner.post(`/portal/api/${portal.businessId}/payments/${earlier}/refunds/card`, refund);
  expect(refunded.status).toBe(201);
  await expect(second.getByRole('row').filter({ hasText: '£15.00' })).toContainText('£5.00 returned');
  await expect(second.getByRole('button', { name: /new$/ })).toHaveCount(0);
  expect(faults()).toEqual([]);
  await context.close();
});

import { operator } from '@florin/shared/actor.ts';
import { sendDiagnostics } from '@florin/shared/contracts/device-v1/diagnostics.ts';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { aTill } from '../support/till.ts';
import { type Portal, signedIn, startPortal, type User } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

/** What the owner has made before. */
async function made(path: string, body: object): Promise<{ readonly id: string }> {
  const owner = await portal.owner.signIn();
  const { status, json } = await owner.post(`/portal/api/${portal.businessId}${path}`, body);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return json as { id: string };
}

/** A task from a signed-in page on: what is clicked is counted, typing is not. */
async function task(
  browser: Browser,
  user: User,
  most: number,
  carryOut: (click: (what: Locator) => Promise<void>, page: Page) => Promise<void>,
): Promise<void> {
  const { page, context, faults } = await signedIn(browser, user, portal.page());
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  let clicks = 0;
  const startedAtMs = performance.now();
  await carryOut(async what => {
    clicks += 1;
    await what.click();
  }, page);
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  test.info().annotations.push({ type: 'task', description: `${clicks} clicks, ${seconds} s` });
  console.log(`${test.info().title}: ${clicks} clicks, ${seconds} s`);
  expect(clicks).toBeLessThanOrEqual(most);
  expect(faults()).toEqual([]);
  await context.close();
}

const area = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

test('an owner sees today’s takings without a click', async ({ browser }) => {
  await portal.aPayment(1_234);
  await task(browser, portal.owner, 0, async (_click, page) => {
    await expect(page.getByText('Today, net')).toBeVisible();
    await expect(page.getByText('£12.34').first()).toBeVisible();
  });
});

test('an owner exports the payments', async ({ browser }) => {
  await task(browser, portal.owner, 3, async (click, page) => {
    await click(area(page, 'Payments'));
    await click(page.getByRole('button', { name: 'Export' }));
    await click(page.getByRole('button', { name: 'Start the export' }));
    await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
  });
});

test('an owner enrols a terminal', async ({ browser }) => {
  await task(browser, portal.owner, 2, async (click, page) => {
    await click(area(page, 'Terminals'));
    await click(page.getByRole('button', { name: 'Enrol a terminal' }).first());
    await page.getByLabel('Name', { exact: true }).fill('Till 7');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible();
  });
});

test('a manager finds a payment by its amount and refunds it', async ({ browser }) => {
  await portal.aPayment(1_925);
  await task(browser, portal.manager, 3, async (click, page) => {
    await click(area(page, 'Payments'));
    await page.getByRole('searchbox').fill('19.25');
    await expect(page.getByRole('row')).toHaveCount(2);
    await click(page.getByRole('row').nth(1).getByRole('link'));
    await click(page.getByRole('button', { name: 'Refund', exact: true }));
    await expect(page.getByRole('button', { name: 'Refund £19.25' })).toBeEnabled();
    await page.getByLabel('Amount to return').press('Enter');
    await expect(page.getByText('£19.25 goes back to the customer')).toBeVisible();
  });
});

test('a manager sees one person’s refunds', async ({ browser }) => {
  await made('/staff', { staffNumber: '301', name: 'Nadia Haddad' });
  await made('/staff', { staffNumber: '302', name: 'Omar Haddad' });
  await task(browser, portal.manager, 3, async (click, page) => {
    await click(area(page, 'Staff'));
    // The open menu of a row is not covered by the buttons of the rows below it.
    await page.getByRole('row').nth(1).locator('.menu-button').click();
    const seen = await page.locator('.menu-panel').evaluate((panel, nth) => {
      const box = document.querySelectorAll('.row-menu .menu-button')[nth]?.getBoundingClientRect();
      if (box === undefined) return 'no row below';
      const { right, bottom } = panel.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (x > right || y > bottom) return 'beside the menu';
      return panel.contains(document.elementFromPoint(x, y)) ? 'the menu' : 'the row below';
    }, 1);
    expect(seen).toBe('the menu');
    await page.keyboard.press('Escape');
    await click(page.getByRole('link', { name: 'Refund log' }));
    await page.getByLabel('Member').selectOption({ label: 'Nadia Haddad' });
    await expect(page).toHaveURL(/staffId=staff_/);
  });
});

test('a manager makes a payment link and copies it', async ({ browser }) => {
  await task(browser, portal.manager, 3, async (click, page) => {
    await click(area(page, 'Links'));
    await click(page.getByRole('button', { name: 'New link' }).first());
    await page.getByLabel('Amount').fill('25');
    await page.getByLabel('Description').fill('Deposit');
    await page.keyboard.press('Enter');
    await click(page.getByRole('dialog').getByRole('button', { name: /^Copy/ }));
  });
});

test('a cashier looks up a payment', async ({ browser }) => {
  await portal.aPayment(2_345);
  await task(browser, portal.cashier, 1, async (click, page) => {
    await click(area(page, 'Payments'));
    await page.getByRole('searchbox').fill('23.45');
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').nth(1)).toContainText('£23.45');
  });
});

test('a developer sees why a webhook failed', async ({ browser }) => {
  const developer = await portal.aUser('developer');
  const endpoint = await made('/webhooks', { url: 'http://127.0.0.1:9/hooks', eventType: 'payment.completed' });
  await made(`/webhooks/${endpoint.id}/test`, {});
  await task(browser, developer, 3, async (click, page) => {
    await click(area(page, 'Developers'));
    await click(page.getByRole('link', { name: 'Webhooks', exact: true }));
    await click(page.getByRole('row').nth(1).getByRole('link'));
    await expect(page.getByRole('cell', { name: 'No connection' })).toBeVisible();
  });
});

test('a developer makes a key', async ({ browser }) => {
  const developer = await portal.aUser('developer');
  await task(browser, developer, 3, async (click, page) => {
    await click(area(page, 'Developers'));
    await click(page.getByRole('button', { name: 'New key' }).first());
    await click(page.getByText('View sales', { exact: true }));
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^florin_api_live_/)).toBeVisible();
  });
});

test('an owner finds the terminals that are not ready', async ({ browser }) => {
  await made('/devices', { name: 'Back office' });
  await task(browser, portal.owner, 0, async (_click, page) => {
    await expect(page.getByText('Back office')).toBeVisible();
  });
});

test('an owner reads the log of a terminal under the code that its status page shows', async ({ browser }) => {
  const permissions = ['devices:read', 'devices:write'] as const;
  const wanted = { name: 'Fleet', preset: 'CUSTOM', permissions: [...permissions], expiresAt: null } as const;
  const key = await portal.backend.services.apiKeys.create(portal.businessId, wanted, operator);
  if (!key.ok) throw new Error(key.refusal.kind);
  const till = await aTill({ client: portal.client, clock: Date }, key.value.secret);
  await task(browser, portal.owner, 3, async (click, page) => {
    await click(area(page, 'Terminals'));
    await click(page.getByRole('button', { name: 'Actions for Till 1' }));
    await click(page.getByText('Diagnostics', { exact: true }));
    const drawer = page.getByRole('dialog', { name: 'Diagnostics of Till 1' });
    await expect(drawer.getByText('Nothing received yet')).toBeVisible();
    const body = { launchCode: 'K7MTQX', appVersion: '1.0.0', platform: 'Test', log: ['{"msg":"reader connected"}'] };
    await portal.client.call(sendDiagnostics, { body }, { key: till.token });
    await expect(drawer.getByText('K7MTQX')).toBeVisible();
    await expect(drawer.getByText('reader connected')).toBeVisible();
    await expectGoodPage(page, 'portal-terminal-diagnostics');
  });
});

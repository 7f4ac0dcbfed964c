import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@florin/backend/config/settings.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { startServer } from '@florin/backend/server.ts';
import { operator } from '@florin/shared/actor.ts';
import { expect, type Page, test } from '@playwright/test';
import { accessibilityFaults } from '../support/accessibility.ts';
import { isInPart } from '../support/part.ts';

let url = '';
let key = '';
let end = async () => {};

test.beforeAll(async () => {
  const data = mkdtempSync(join(tmpdir(), 'florin-reference-'));
  const read = readSettings({ PORT: '0', DATA: data, RATE_LIMIT_PER_ADDRESS: '1000' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const server = await startServer({
    settings: read.settings,
    log: createLog({ level: 'silent', destination: { write: () => {} } }),
  });
  const { businesses, apiKeys } = server.backend.services;
  const business = await businesses.create({
    name: 'Corner Shop',
    countryCode: 'GB',
    currency: 'GBP',
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  const wanted = { name: 'Reader', preset: 'REPORTING', permissions: [], expiresAt: null } as const;
  const made = await apiKeys.create(business.id, wanted, operator);
  if (!made.ok) throw new Error(made.refusal.kind);
  ({ url } = server);
  key = made.value.secret;
  end = async () => {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  };
});
test.afterAll(() => end());

for (const prefix of ['/api/v1', '/kiosk/v1']) {
  test(`the reference at ${prefix}/docs loads nothing from other hosts, keeps its content security policy and is accessible`, async ({
    page,
  }) => {
    const elsewhere: string[] = [];
    const errors: string[] = [];
    page.on('request', request => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', error => errors.push(String(error)));
    const response = await page.goto(`${url}${prefix}/docs`);
    expect(response?.headers()['content-security-policy']).toMatch(
      /^default-src 'none';script-src 'self';style-src 'self';/,
    );
    await expect(page.locator('.opblock').first()).toBeVisible();
    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
    // It looks at several thousand elements.
    if (isInPart(prefix, 4)) expect(await accessibilityFaults(page, { onlyWcag: true })).toEqual([]);
    // On the same page, which takes long to draw.
    if (prefix === '/api/v1')
      await test.step('an operation can be tried with a key typed in', () => tryOperation(page));
  });
}

async function tryOperation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').first().fill(key);
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  // Groups are drawn as they come into sight.
  await page.getByPlaceholder('Filter by tag').fill('Transactions');
  const operation = page.locator('#operations-Transactions-listTransactions');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await expect(operation.locator('.live-responses-table tbody .response-col_status').first()).toContainText('200');
}

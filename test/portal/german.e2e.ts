import { pages } from '@florin/backend/web/portal/app/pages.ts';
import type { StaffLogEntry } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { expect, type Page, test } from '@playwright/test';
import { isInPart } from '../support/part.ts';
import { emailsTo } from '../support/portal.ts';
import { desktop, type Portal, startPortal, visit } from './portal.ts';

test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
  await portal.aPayment(1_820);
});
test.afterAll(() => portal.end());

/** Words that German sentences do not have, and amounts and dates as they are written in English. */
const english =
  /\b(the|is|are|this|that|with|were|your|you|and|of|not|to|from|by|has|have|must|today|yesterday|ago|failed|settled|(January|February|March|May|June|July|October|December))\b|£\d|\d,\d{3}\.\d/i;

/** What a page says that is not German; names, addresses and code are left out. */
async function englishOn(page: Page): Promise<string[]> {
  const lines = await page.locator('body').evaluate(body => {
    const all: string[] = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const isCode = walker.currentNode.parentElement?.closest('code, pre, script, noscript') !== null;
      if (!isCode) all.push(walker.currentNode.textContent ?? '');
    }
    for (const named of body.querySelectorAll('[aria-label]')) all.push(named.getAttribute('aria-label') ?? '');
    return all;
  });
  return lines.filter(line => english.test(line) && !line.includes('@'));
}

test('the portal is German throughout for who reads German', async ({ browser }) => {
  const { email, password } = await portal.aUser('owner');
  const options = { ...desktop, locale: 'de-DE' };
  const { page, context, faults } = await visit(browser, portal.page(), options);
  await page.getByLabel('E-Mail-Adresse').fill(email);
  await page.getByLabel('Passwort', { exact: true }).fill('falsches-passwort');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await englishOn(page)).toEqual([]);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(portal.page());
  const found: string[] = [];
  const paths = [...new Set(pages.map(({ path }) => path))].filter(path => !path.includes('$') && isInPart(path, 3));
  for (const path of paths) {
    await page.goto(portal.page(path === '/' ? '' : path));
    await expect(page.locator('h1')).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    found.push(...(await englishOn(page)).map(line => `${path}: ${line}`));
  }
  expect(found).toEqual([]);

  await page.goto(portal.page('/settings/audit'));
  await expect(page.getByText(/^Eine Anmeldung als User \d+ wurde abgelehnt\.$/)).toBeVisible();
  await page.goto(`${portal.url}/portal/me`);
  await expect(page.getByText('Chrome unter Linux')).toBeVisible();
  const [letter] = await emailsTo({ backend: portal.backend }, email);
  expect(letter?.subject).toBe('Neue Anmeldung bei Ihrem Konto');

  await page.goto(portal.page('/staff?new=1'));
  await page.getByLabel('Name').fill('Dora');
  await page.getByLabel('Personal-ID').fill('1 0 4');
  await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  await expect(page.getByText('muss aus 1 bis 32 Buchstaben, Ziffern oder Bindestrichen bestehen')).toBeVisible();
  await page.getByLabel('Personal-ID').fill('104');
  await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  await page.getByRole('button', { name: 'Fertig' }).click();
  await page.goto(portal.page('/staff?new=1'));
  await page.getByLabel('Name').fill('Emil');
  await page.getByLabel('Personal-ID').fill('104');
  await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  await expect(page.getByText('Diese Personal-ID ist vergeben.')).toBeVisible();
  await expect(page.getByLabel('Personal-ID')).toBeFocused();

  await page.goto(portal.page('/payments?q=1234,56'));
  await expect(page.getByText('Gesucht wurde der Betrag 1.234,56')).toBeVisible();
  await expect(page.getByText('Strg K')).toBeVisible();

  await page.goto(`${portal.url}/portal/me`);
  await page.getByRole('button', { name: 'English', exact: true }).first().click();
  await expect(page.getByText('Chrome on Linux')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

/** The entry of a check with much to say. */
const refundCheck: StaffLogEntry = {
  id: 'aud_000001',
  staff: { id: 'staff_000001', name: 'Amara Okafor', staffNumber: '101' },
  requestedBy: { id: 'staff_000002', name: 'Ben Hughes', staffNumber: '102' },
  terminal: { id: 'dev_000001', name: 'Front counter' },
  sale: { invoiceNumber: 'INV-000008', amountInCents: 96_00, currency: 'GBP', takenAt: null },
  amountInCents: 60_00,
  status: 'failed',
  reason: 'permission_denied',
  detail: 'service_unreachable',
  offline: true,
  attemptedAt: '2026-11-28T09:33:00.000Z',
  recordedAt: '2026-11-28T09:34:00.000Z',
  previousHash: 'b'.repeat(64),
  hash: 'a'.repeat(64),
};

/** Words that are broken into several lines. */
async function brokenWords(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll(all =>
    all.flatMap(element => {
      const [text] = element.childNodes;
      if (!(text instanceof Text)) return [];
      return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : [];
      });
    }),
  );
}

test('no word of a heading or of a choice is broken in a small window', async ({ browser }) => {
  // Of its own, because it changes the user's language.
  const { email, password } = await portal.aUser('owner');
  const options = { ...desktop, viewport: { width: 1280, height: 800 }, locale: 'de-DE' };
  const { page, context } = await visit(browser, portal.page('/payments'), options);
  await page.getByLabel('E-Mail-Adresse').fill(email);
  await page.getByLabel('Passwort', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'Verkaufs-Nr.' })).toBeVisible();
  expect(await brokenWords(page, '.table th')).toEqual([]);
  await page.route(/\/refund-log\?/, route => route.fulfill({ json: { items: [refundCheck], nextCursor: null } }));
  await page.goto(portal.page('/staff/refund-log'));
  await expect(page.getByRole('columnheader', { name: 'Erstattung' })).toBeVisible();
  expect(await brokenWords(page, '.table th, .table td .nowrap')).toEqual([]);
  await page.locator('.user-menu .menu-button').click();
  await page.getByRole('button', { name: 'English', exact: true }).click();
  const choices = page.locator('.user-menu .segments button');
  await expect(choices.filter({ hasText: 'System' })).toBeVisible();
  expect(await brokenWords(page, '.user-menu .segments button')).toEqual([]);
  await context.close();
});

test('the longest word of the navigation is whole on a phone', async ({ browser }) => {
  for (const width of [320, 390]) {
    const options = { ...desktop, viewport: { width, height: 844 }, locale: 'de-DE' };
    const { page, context } = await visit(browser, portal.page(), options);
    const { email, password } = portal.owner;
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    const words = page.getByRole('navigation', { name: 'Hauptnavigation' }).locator('.nav-link span');
    await expect(words.filter({ hasText: 'Abrechnungen' })).toBeVisible();
    const cut = (all: Element[]) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
    expect(await words.evaluateAll(cut)).toBe(0);
    // Only the words of one language were loaded, so that none was shown in another before.
    const loaded = () => performance.getEntriesByType('resource').map(({ name }) => /\/(en|de)-/.exec(name)?.[1]);
    expect((await page.evaluate(loaded)).filter(language => language !== undefined)).toEqual(['de']);
    await context.close();
  }
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { smtpMailer } from '@florin/backend/messaging/notifications/smtp.ts';
import { type MailboxSandbox, startMailboxSandbox } from '@florin/backend/programs/sandbox/mailbox/server.ts';
import { expect, type Page, test } from '@playwright/test';
import { createTransport } from 'nodemailer';
import { accessibilityFaults } from '../support/accessibility.ts';

/** The sandbox mailbox in a real browser. */
let mailbox: MailboxSandbox;
test.beforeEach(async () => {
  mailbox = await startMailboxSandbox();
});
test.afterEach(() => mailbox.close());

const owner = 'owner@shop.example';

/** Sends a mail as the service does. */
async function aMail(id: string, subject: string, text: string): Promise<void> {
  const mailer = smtpMailer({ url: mailbox.smtpUrl, from: 'florin@shop.example' });
  expect(await mailer.send({ id, recipient: owner, subject, text })).toEqual({ kind: 'sent' });
  mailer.close();
}

/** Sends a mail that has only an HTML part, unlike the service's. */
async function aMailOfHtml(subject: string, html: string): Promise<void> {
  const transport = createTransport(mailbox.smtpUrl);
  await transport.sendMail({ from: 'unknown@elsewhere.example', to: owner, subject, html });
  transport.close();
}

const subjects = (page: Page) => page.getByRole('article').getByRole('heading');

/** Serves a page to which a mail can link. */
async function aLinkedPage() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Webhooks</title><h1>Webhooks</h1>');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks?id=wh_1&tab=log`,
    close: () => void server.close(),
  };
}

test('mails appear without a reload, newest first, with their full text', async ({ page }) => {
  await page.goto(mailbox.url);
  await expect(page.getByText('Nothing has arrived yet.')).toBeVisible();
  await aMail('eml_1', 'Webhooks to shop.example were disabled', 'Endpoint  wh_1\n  URL       https://shop.example/');
  await expect(subjects(page)).toHaveText(['Webhooks to shop.example were disabled']);
  await expect(page.getByRole('article')).toContainText(`To ${owner}, from florin@shop.example`);
  await aMail('eml_2', 'Refunds need a look — £5.00', 'Two refunds wait for you.');
  await expect(subjects(page)).toHaveText(['Refunds need a look — £5.00', 'Webhooks to shop.example were disabled']);
  await page.getByRole('link', { name: '/messages' }).click();
  await expect(page.locator('body')).toContainText('"subject":"Refunds need a look — £5.00"');
});

test('addresses in a mail are shown as links to these addresses', async ({ page }) => {
  const linked = await aLinkedPage();
  await aMail(
    'eml_1',
    'Webhooks were disabled',
    `Enable them again (${linked.url}), or write to us.\njavascript:alert(1)`,
  );
  await page.goto(mailbox.url);
  const links = page.getByRole('article').getByRole('link');
  await expect(links).toHaveText([linked.url]);
  await links.click();
  await expect(page).toHaveURL(linked.url);
  await expect(page.getByRole('heading', { name: 'Webhooks' })).toBeVisible();
  linked.close();
});

test('markup in a mail is shown as text: it runs nothing, loads nothing and has no style', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).origin));
  const errors: string[] = [];
  page.on('console', message => message.type() === 'error' && errors.push(message.text()));
  page.on('dialog', dialog => errors.push(dialog.message()));
  const markup =
    '<script>alert(1)</script><img src="https://elsewhere.example/pixel" onerror="alert(2)"><a href="javascript:alert(3)">Pay</a><form action="/"><button>Pay</button></form>';
  await aMail('eml_1', `</h2>${markup}`, `</pre></article></main>${markup}`);
  await aMailOfHtml('Of HTML alone', `<h1>Your account</h1>${markup}`);
  await page.goto(mailbox.url);
  await expect(subjects(page)).toHaveText(['Of HTML alone', `</h2>${markup}`]);
  await expect(page.getByRole('article').last()).toContainText(`</pre></article></main>${markup}`);
  await expect(page.getByRole('article').first()).toContainText('Your account');
  const made = page.getByRole('main').locator('script, img, form, button, a[href^="javascript:"], [onerror]');
  await expect(made).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(['Mailbox sandbox']);
  expect([...new Set(asked)]).toEqual([new URL(mailbox.url).origin]);
  expect(errors).toEqual([]);
});

test('the page keeps the focus and does not reload while no mail arrives', async ({ page }) => {
  await aMail('eml_1', 'Read me', 'See https://shop.example/ for more.');
  await page.goto(mailbox.url);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.getByRole('article').getByRole('link').focus();
  for (let look = 0; look < 2; look += 1) await page.waitForResponse(`${mailbox.url}/messages`);
  await expect(page.getByRole('article').getByRole('link')).toBeFocused();
  expect(loads).toBe(0);
});

for (const width of [1280, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the page fits ${width} pixels, ${colorScheme}`, async ({ page }) => {
      await aMail('eml_1', 'A word that is long'.repeat(5), `https://shop.example/${'a'.repeat(200)}`);
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(mailbox.url);
      await expect(subjects(page)).toHaveCount(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  }
}

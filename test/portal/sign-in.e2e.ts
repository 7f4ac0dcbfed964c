import { expect, test } from '@playwright/test';
import { expectGoodPage } from '../pages/payer.ts';
import { codeOf, type Portal, signedIn, startPortal, typePassword, visit } from './portal.ts';

// One service for the file: its clock is set forward by some tests.
test.describe.configure({ mode: 'default' });

let portal: Portal;
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal.end());

test('a user signs in after a wrong password, sees the page they wanted, and signs out for good', async ({
  browser,
}) => {
  const { page, context, faults } = await visit(browser, portal.page('/payments'));
  await expectGoodPage(page, 'portal-sign-in-1');
  await typePassword(page, { ...portal.owner, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is not right.');
  await expectGoodPage(page, 'portal-sign-in-2-wrong');
  await typePassword(page, portal.owner);
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible();
  expect(page.url()).toBe(portal.page('/payments'));
  await page.getByRole('button', { name: 'You' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Payments' })).toHaveCount(0);
  expect(faults()).toEqual([]);
  await context.close();
});

test('an authenticator app, a passkey and a recovery code are set up, asked for at sign-in, and removed', async ({
  browser,
}) => {
  const user = await portal.aUser('manager');
  const account = `${portal.url}/portal/me`;
  const { page, context, faults } = await signedIn(browser, user, account);
  const protocol = await context.newCDPSession(page);
  await protocol.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await protocol.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } });

  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.locator('.copy-line code').innerText()).replaceAll(/\s/g, '');
  await expectGoodPage(page, 'portal-account-1-app');
  await page.getByLabel('Code that the app shows now').fill(codeOf(secret, portal.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeVisible();
  const codes = await page.locator('.recovery-codes li').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expectGoodPage(page, 'portal-account-2-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Remove the passkey Laptop' })).toBeVisible();
  await expectGoodPage(page, 'portal-account-3');

  const begin = async () => {
    await page.getByRole('button', { name: 'You' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goto(account);
    await typePassword(page, user);
    await expect(page.getByText('One more step')).toBeVisible();
  };
  const title = page.getByRole('heading', { name: 'Your account' });
  await begin();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(title).toBeVisible();
  await begin();
  await page.getByLabel('Code of your authenticator app').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('That code is not right, or was used already.');
  await expectGoodPage(page, 'portal-sign-in-3-second');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(title).toBeVisible();
  await expect(page.getByText('9 left, each works once')).toBeVisible();

  portal.setForward(6);
  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirmation.getByLabel('Password', { exact: true }).fill('not the password');
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirmation.getByRole('alert')).toHaveText('That is not your password.');
  await expectGoodPage(page, 'portal-confirmation');
  await confirmation.getByLabel('Password', { exact: true }).fill(user.password);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The passkey “Laptop” was removed.')).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

test('a session that has ended is signed in again over the page, whose form is kept', async ({ browser }) => {
  const { page, context } = await signedIn(browser, portal.owner, portal.page('/links'));
  await page.getByRole('button', { name: 'New link' }).first().click();
  await page.getByLabel('Amount', { exact: true }).fill('18.20');
  await page.getByLabel('Description').fill('Two chairs');
  portal.setForward(9 * 60);
  await page.getByRole('button', { name: 'Create link' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(again).toBeVisible();
  await again.getByLabel('Password', { exact: true }).fill(portal.owner.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('dialog', { name: 'The link is ready' })).toContainText('Copy link');
  await context.close();
});

test('guessing a password is stopped for a while', async ({ browser }) => {
  const user = await portal.aUser('cashier');
  const { page, context } = await visit(browser, portal.page());
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await typePassword(page, { ...user, password: `guess number ${attempt}` });
    await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is not right.');
  }
  await typePassword(page, user);
  await expect(page.getByRole('alert')).toHaveText(/^Too many attempts\. Try again in \d+ minutes\.$/);
  portal.setForward(16);
  await typePassword(page, user);
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await context.close();
});

test('an invited person chooses a password, and resets it when it is forgotten', async ({ browser }) => {
  const asOwner = await portal.owner.signIn();
  const email = 'nia@shop.example';
  const invitations = `/portal/api/${portal.businessId}/team/invitations`;
  expect((await asOwner.post(invitations, { email, roleId: 'manager' })).status).toBe(201);
  const invitation = await portal.linkTo(email);
  const { page, context, faults } = await visit(browser, invitation);
  await expect(page.getByText('Corner Shop invites you to its portal, with the role Manager.')).toBeVisible();
  await expectGoodPage(page, 'portal-invitation-1');
  await page.getByLabel('Your name').fill('Nia Ward');
  await page.getByLabel('New password').fill('password1234');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('This password is too easy to guess.')).toBeVisible();
  await page.getByLabel('New password').fill('velvet-river-anchor-5');
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(page.getByText('Nia Ward')).toBeVisible();
  await page.goto('about:blank');
  await page.goto(invitation);
  await expect(page.getByText('This invitation is not valid any more')).toBeVisible();
  await expectGoodPage(page, 'portal-invitation-2-used');

  await page.goto(`${portal.url}/portal/password-reset`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Look in your mailbox')).toBeVisible();
  await expectGoodPage(page, 'portal-reset-1');
  await page.goto(await portal.linkTo(email));
  await page.getByLabel('New password').fill('gentle-copper-harvest-3');
  await expectGoodPage(page, 'portal-reset-2');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  expect(faults()).toEqual([]);
  await context.close();
});

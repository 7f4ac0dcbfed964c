import { operator } from '@florin/shared/actor.ts';
import { expect, test } from 'vitest';
import { aBackend, eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser, emailsTo, portalBrowser } from '../../../test/support/portal.ts';

const own = { 'sec-fetch-site': 'same-origin' };
const german = { ...own, 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };
const english = { ...own, 'accept-language': 'en' };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

eachDatabase('users who read German', database => {
  async function aGermanPortal() {
    const world = await aBackend({ database, env: { RATE_LIMIT_PER_ADDRESS: '100000' } });
    const business = await world.aBusiness({ name: 'Hafen' });
    const changes = { locale: 'de-DE', timeZone: 'Europe/Berlin' };
    await world.backend.services.businesses.settings.change(business.id, changes, operator);
    const owner = await aPortalUser(world, business.id, 'owner');
    const browser = portalBrowser(world);
    const signsIn = (headers: Readonly<Record<string, string>>) =>
      browser.request('POST', '/portal/api/sign-in', { email: owner.email, password: owner.password }, headers);
    const subjectsTo = async (recipient: string) => (await emailsTo(world, recipient)).map(({ subject }) => subject);
    return { world, business, owner, browser, signsIn, subjectsTo };
  }

  test('keep the language of their first sign-in, and are written to in it', async () => {
    const { world, owner, browser, signsIn, subjectsTo } = await aGermanPortal();
    const first = await signsIn({ ...german, 'user-agent': firefox });
    expect(first.json).toMatchObject({ me: { language: 'de' } });
    await signsIn({ ...english, 'user-agent': 'curl/8.1' });
    expect(await subjectsTo(owner.email)).toEqual(Array(2).fill('Neue Anmeldung bei Ihrem Konto'));
    const [one, other] = await emailsTo(world, owner.email);
    expect(one?.text).toContain('Browser  Firefox unter Linux\n');
    expect(one?.text).toMatch(/Zeit {5}21\. November 2026 um 10:30 MEZ\n/);
    expect(other?.text).toContain('Browser  Unbekannter Browser\n');
    const sessions = await browser.request('GET', '/portal/api/me/sessions', undefined, german);
    expect(sessions.json).toMatchObject({
      items: [{ browser: 'Unbekannter Browser' }, { browser: 'Firefox unter Linux' }],
    });
    await browser.post('/portal/api/me/password', { password: 'gentle-copper-harvest-3' });
    expect((await subjectsTo(owner.email)).at(-1)).toBe('Ihre Anmeldung wurde geändert');
    await browser.request('POST', '/portal/api/password-reset', { email: owner.email }, english);
    await expect.poll(async () => (await subjectsTo(owner.email)).at(-1)).toBe('Neues Passwort wählen');
  });

  test('invite in the language that they read, and whoever accepts keeps that of their browser', async () => {
    const { world, business, browser, signsIn } = await aGermanPortal();
    await signsIn(german);
    const recipient = 'neu@shop.example';
    const invitation = { email: recipient, roleId: 'manager' };
    await browser.request('POST', `/portal/api/${business.id}/team/invitations`, invitation, german);
    const [letter] = await emailsTo(world, recipient);
    expect(letter).toMatchObject({
      subject: 'Sie sind zu Hafen eingeladen',
      text: expect.stringContaining('Hafen lädt Sie in sein Portal ein, mit der Rolle Leitung.'),
      html: expect.stringContaining('<html lang="de">'),
    });
    const token = /#(\S+)/.exec(letter?.text ?? '')?.[1];
    const password = 'velvet-river-anchor-5';
    const newcomer = portalBrowser(world);
    await newcomer.request('POST', '/portal/api/invitation/accept', { token, name: 'Nia', password }, english);
    const signedIn = await newcomer.request('POST', '/portal/api/sign-in', { email: recipient, password }, german);
    expect(signedIn.json).toMatchObject({ me: { language: 'en' } });
  });
});

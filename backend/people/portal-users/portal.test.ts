import { permissionCodes } from '@florin/shared/permissions.ts';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { aBackend, type BackendWorld, type DatabaseKind, eachDatabase } from '../../../test/support/backend.ts';
import { aPortalUser, emailsTo, type PortalBrowser, portalBrowser } from '../../../test/support/portal.ts';

async function aPortal(database: DatabaseKind) {
  const world = await aBackend({ database, env: { RATE_LIMIT_PER_ADDRESS: '100000', RATE_LIMIT_PER_KEY: '100000' } });
  const business = await world.aBusiness({ name: 'Harbour' });
  const owner = await aPortalUser(world, business.id, 'owner');
  return { world, business, owner };
}

const reasonOf = (answer: { json: unknown }) =>
  (answer.json as { error?: { metadata?: { reason?: string } } }).error?.metadata?.reason;

/** The link in the last e-mail to an address. */
async function linkTo(world: BackendWorld, recipient: string): Promise<string> {
  const link = async () => /#(\S+)/.exec((await emailsTo(world, recipient)).at(-1)?.text ?? '')?.[1] ?? '';
  // A link to a new password is sent after the answer, which is as quick for an unknown address.
  await expect.poll(link).not.toBe('');
  return link();
}

eachDatabase('the portal', database => {
  test('serves the operations of the API to a signed-in user, for each business they belong to', async () => {
    const { world, business, owner } = await aPortal(database);
    const other = await world.aBusiness({ name: 'Other' });
    const browser = await owner.signIn();
    const mine = await browser.get(`/portal/api/${business.id}/api-keys`);
    expect([mine.status, mine.json]).toEqual([200, { items: [], nextCursor: null }]);
    const theirs = await browser.get(`/portal/api/${other.id}/api-keys`);
    expect([theirs.status, reasonOf(theirs)]).toEqual([404, 'business_not_found']);
    expect((await portalBrowser(world).get(`/portal/api/${business.id}/api-keys`)).status).toBe(401);
    expect((await browser.get('/api/v1/api-keys')).status).toBe(401);
    await browser.post('/portal/api/me/sign-out');
    expect((await browser.get(`/portal/api/${business.id}/api-keys`)).status).toBe(401);
  });

  test('tells the lists of the team from its members', async () => {
    const { business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    for (const list of ['roles', 'invitations'])
      expect((await browser.get(`/portal/api/${business.id}/team/${list}`)).status).toBe(200);
    expect((await browser.get(`/portal/api/${business.id}/team/${owner.id}`)).status).toBe(200);
  });

  test('has no page at an address of its operations that none has', async () => {
    const { world, business } = await aPortal(database);
    for (const path of ['/portal/api', '/portal/api/nothing', `/portal/api/${business.id}/nothing`])
      expect([path, (await fetch(world.url + path)).status]).toEqual([path, 404]);
    expect((await fetch(`${world.url}/portal/${business.id}/nothing`)).status).toBe(200);
  });

  test('takes writes from its own page only', async () => {
    const { world, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const path = '/portal/api/me/sign-out';
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
    ]) {
      const answer = await browser.request('POST', path, {}, headers);
      expect([headers, answer.status, reasonOf(answer)]).toEqual([headers, 403, 'cross_origin']);
    }
    const form = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    expect((await browser.request('PATCH', '/portal/api/me', 'name=x', form)).status).toBe(415);
    expect((await browser.request('POST', path, {}, { origin: world.url })).status).toBe(200);
  });

  test('compares the origin of a write with the configured address, whatever Host the request names', async () => {
    const path = '/portal/api/me/sign-out';
    const statuses = async (world: BackendWorld, origins: readonly string[]) => {
      const owner = await aPortalUser(world, (await world.aBusiness()).id, 'owner');
      return Promise.all(
        origins.map(async origin => {
          const browser = await owner.signIn();
          return (await browser.request('POST', path, {}, { origin })).status;
        }),
      );
    };
    const local = await aBackend({ database });
    const { port } = new URL(local.url);
    const own = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    const foreign = [`http://localhost:${Number(port) + 1}`, `http://shop.example:${port}`];
    expect(await statuses(local, [...own, ...foreign])).toEqual([200, 200, 403, 403]);
    const published = await aBackend({ database, env: { PUBLIC_URL: 'https://pay.example/' } });
    expect(await statuses(published, ['https://pay.example', 'http://pay.example', published.url])).toEqual([
      200, 403, 403,
    ]);
  });

  test('answers an unknown address and a wrong password alike, and throttles both', async () => {
    const { world, owner } = await aPortal(database);
    const browser = portalBrowser(world);
    const attempts = async (email: string) => {
      const answers: string[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const { status, json } = await browser.post('/portal/api/sign-in', { email, password: 'wrong password' });
        answers.push(`${status} ${JSON.stringify(json).replace(/\d+/g, 'n')}`);
      }
      return answers;
    };
    const known = await attempts(owner.email);
    expect(await attempts('nobody@shop.example')).toEqual(known);
    expect(known.map(answer => answer.slice(0, 3))).toEqual([...Array(10).fill('401'), '429', '429']);
    expect(reasonOf(await browser.post('/portal/api/sign-in', owner))).toBe('too_many_attempts');
    world.clock.advance({ minutes: 16 });
    expect((await browser.post('/portal/api/sign-in', owner)).status).toBe(200);
  });

  test('judges no more passwords at once than the throttle allows', async () => {
    const { world, owner } = await aPortal(database);
    const browser = portalBrowser(world);
    const guesses = Array.from({ length: 30 }, (_, number) =>
      browser.post('/portal/api/sign-in', { email: owner.email, password: `guess number ${number}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(10);
    expect(statuses.filter(status => status === 429)).toHaveLength(20);
  });

  test('asks again before sensitive changes, and replaces the cookie then', async () => {
    const { world, business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    world.clock.advance({ minutes: 6 });
    const key = { name: 'Till', permissions: ['sales:read'] };
    const path = `/portal/api/${business.id}/api-keys`;
    const asked = await browser.post(path, key);
    expect([asked.status, reasonOf(asked)]).toEqual([403, 'step_up_required']);
    const stolen = browser.copy();
    expect((await browser.post('/portal/api/me/step-up', { password: 'not it' })).status).toBe(401);
    expect((await browser.post('/portal/api/me/step-up', { password: owner.password })).status).toBe(200);
    expect((await stolen.get('/portal/api/me')).status).toBe(401);
    expect((await browser.post(path, key)).status).toBe(201);
    world.clock.advance({ minutes: 6 });
    expect(reasonOf(await browser.post(path, key))).toBe('step_up_required');
  });

  test('asks again before it shows a secret or lets staff refund more', async () => {
    const { world, business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const api = `/portal/api/${business.id}`;
    const ada = { staffNumber: '104', name: 'Ada' };
    const { staff } = (await browser.post(`${api}/staff`, ada)).json as { staff: { id: string } };
    const device = (await browser.post(`${api}/devices`, { name: 'Counter' })).json as { id: string };
    world.clock.advance({ minutes: 6 });
    const asked = [
      await browser.post(`${api}/staff`, { staffNumber: '105', name: 'Grace' }),
      await browser.post(`${api}/staff/${staff.id}/reset-password`, {}),
      await browser.request('PATCH', `${api}/staff/${staff.id}`, { mayRefundAndVoid: true }),
      await browser.request('PATCH', `${api}/staff/${staff.id}`, { dailyLimitInCents: null }),
      await browser.post(`${api}/devices`, { name: 'Bar' }),
      await browser.post(`${api}/devices/${device.id}/enrolment-code`, {}),
    ];
    expect(asked.map(reasonOf)).toEqual(asked.map(() => 'step_up_required'));
    expect((await browser.request('PATCH', `${api}/staff/${staff.id}`, { mayRefundAndVoid: false })).status).toBe(200);
    expect((await browser.post(`${api}/staff/${staff.id}/unlock`, {})).status).toBe(200);
  });

  test('asks again before an endpoint gets another address or event', async () => {
    const { world, business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const path = `/portal/api/${business.id}/webhooks`;
    const body = { url: 'https://8.8.8.8/hooks', eventType: 'payment.completed' };
    const made = (await browser.post(path, body)).json as { id: string };
    world.clock.advance({ minutes: 6 });
    const change = () => browser.request('PATCH', `${path}/${made.id}`, { url: 'https://8.8.4.4/hooks' });
    const asked = await change();
    expect([asked.status, reasonOf(asked)]).toEqual([403, 'step_up_required']);
    expect((await browser.get(`${path}/${made.id}`)).json).toMatchObject({ url: body.url });
    await browser.post('/portal/api/me/step-up', { password: owner.password });
    expect((await change()).status).toBe(200);
  });

  test('ends sessions: idle, on a shared computer, elsewhere, and at a new password', async () => {
    const { world, owner } = await aPortal(database);
    const shared = portalBrowser(world);
    await shared.post('/portal/api/sign-in', { ...owner, isShared: true });
    const browser = await owner.signIn();
    const third = await owner.signIn();
    world.clock.advance({ minutes: 31 });
    expect((await shared.get('/portal/api/me')).status).toBe(401);
    const { items } = (await browser.get('/portal/api/me/sessions')).json as {
      items: { id: string; isCurrent: boolean }[];
    };
    expect(items.map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
    const elsewhere = items.find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await browser.request('DELETE', `/portal/api/me/sessions/${elsewhere}`)).status).toBe(200);
    expect((await third.get('/portal/api/me')).status).toBe(401);
    const fourth = await owner.signIn();
    await browser.post('/portal/api/me/step-up', { password: owner.password });
    expect((await browser.post('/portal/api/me/password', { password: 'password1234' })).status).toBe(400);
    const password = 'quiet-harbour-lantern-9';
    expect((await browser.post('/portal/api/me/password', { password })).status).toBe(200);
    expect((await fourth.get('/portal/api/me')).status).toBe(401);
    expect((await browser.get('/portal/api/me')).status).toBe(200);
    world.clock.advance({ hours: 9 });
    expect((await browser.get('/portal/api/me')).status).toBe(401);
  });

  test('takes a code of the authenticator app once, and a recovery code once', async () => {
    const { world, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const { secret } = (await browser.post('/portal/api/me/totp')).json as { secret: string };
    const totp = new TOTP({ secret });
    const code = () => totp.generate({ timestamp: world.clock.now() });
    expect((await browser.post('/portal/api/me/totp/confirm', { code: '000000' })).status).toBe(400);
    const confirmed = await browser.post('/portal/api/me/totp/confirm', { code: code() });
    const { recoveryCodes } = confirmed.json as { recoveryCodes: string[] };
    expect(recoveryCodes).toHaveLength(10);
    const second = async (given: string) => {
      const next = portalBrowser(world);
      const { token } = (await next.post('/portal/api/sign-in', owner)).json as { token: string };
      expect((await next.get('/portal/api/me')).status).toBe(401);
      return (await next.post('/portal/api/sign-in/second-factor', { token, code: given })).status;
    };
    expect(await second(code())).toBe(401);
    world.clock.advance({ seconds: 30 });
    const fresh = code();
    expect([await second(fresh), await second(fresh)]).toEqual([200, 401]);
    const [recovery = ''] = recoveryCodes;
    expect([await second(recovery.toLowerCase()), await second(recovery)]).toEqual([200, 401]);
  });

  test('resets a password by a link that works once', async () => {
    const { world, owner } = await aPortal(database);
    const browser = portalBrowser(world);
    const before = await owner.signIn();
    const unknown = await browser.post('/portal/api/password-reset', { email: 'nobody@shop.example' });
    expect(await browser.post('/portal/api/password-reset', { email: owner.email })).toMatchObject(unknown);
    const token = await linkTo(world, owner.email);
    const password = 'gentle-copper-harvest-3';
    const complete = () => browser.post('/portal/api/password-reset/complete', { token, password });
    expect([(await complete()).status, (await complete()).status]).toEqual([200, 404]);
    expect((await before.get('/portal/api/me')).status).toBe(401);
    expect((await browser.post('/portal/api/sign-in', { email: owner.email, password })).status).toBe(200);
  });
});

eachDatabase('the team of a business', database => {
  const invite = async (
    world: BackendWorld,
    browser: PortalBrowser,
    businessId: string,
    email: string,
    roleId: string,
  ) => {
    const invited = await browser.post(`/portal/api/${businessId}/team/invitations`, { email, roleId });
    expect(invited.status).toBe(201);
    return linkTo(world, email);
  };

  test('keeps an invitation that expired until its retention is over', async () => {
    const { world, business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const roles = await browser.get(`/portal/api/${business.id}/team/roles`);
    const roleId = (roles.json as { items: { id: string }[] }).items[0]?.id;
    const address = `/portal/api/${business.id}/team/invitations`;
    expect((await browser.post(address, { email: 'late@example.com', roleId })).status).toBe(201);
    const invitations = () => world.backend.services.team.invitations(business.id, { before: '~', limit: 10 });
    world.clock.advance({ minutes: (72 + 89 * 24) * 60 });
    world.clock.advance({ minutes: 10 });
    expect(await invitations()).toHaveLength(1);
    const later = async () => {
      world.clock.advance({ minutes: 60 });
      return invitations();
    };
    await expect.poll(later, { interval: 5 }).toEqual([]);
  });

  test('grows by invitations, each for one address and once', async () => {
    const { world, business, owner } = await aPortal(database);
    const browser = await owner.signIn();
    const email = 'New@Shop.example';
    const token = await invite(world, browser, business.id, email, 'manager');
    const newcomer = portalBrowser(world);
    const read = await newcomer.post('/portal/api/invitation', { token });
    expect(read.json).toEqual({
      email,
      businessName: 'Harbour',
      role: { id: 'manager', name: 'Manager' },
      isKnown: false,
    });
    const accept = (password: string) =>
      newcomer.post('/portal/api/invitation/accept', { token, name: 'Nia', password });
    expect(reasonOf(await accept('password1234'))).toBe('password_guessable');
    const password = 'velvet-river-anchor-5';
    expect([(await accept(password)).status, (await accept(password)).status]).toEqual([200, 404]);
    await newcomer.post('/portal/api/sign-in', { email: email.toLowerCase(), password });
    expect((await newcomer.get(`/portal/api/${business.id}/team`)).status).toBe(200);
    const late = await invite(world, browser, business.id, 'late@shop.example', 'cashier');
    world.clock.advance({ hours: 73 });
    expect((await newcomer.post('/portal/api/invitation', { token: late })).status).toBe(404);
  });

  test('grants and takes away only what its changer holds, and keeps its last owner', async () => {
    const { world, business, owner } = await aPortal(database);
    const manager = await aPortalUser(world, business.id, 'manager');
    const admin = await aPortalUser(world, business.id, 'admin');
    const asManager = await manager.signIn();
    const team = `/portal/api/${business.id}/team`;
    const give = (browser: PortalBrowser, id: string, roleId: string) =>
      browser.request('PATCH', `${team}/${id}`, { roleId });
    expect(reasonOf(await give(asManager, manager.id, 'owner'))).toBe('beyond_own_permissions');
    expect(reasonOf(await give(asManager, admin.id, 'cashier'))).toBe('beyond_own_permissions');
    expect(reasonOf(await asManager.request('DELETE', `${team}/${owner.id}`))).toBe('beyond_own_permissions');
    const role = { name: 'All', permissions: ['sales:read', 'withdraw:write'] };
    expect(reasonOf(await asManager.post(`${team}/roles`, role))).toBe('beyond_own_permissions');
    const asOwner = await owner.signIn();
    expect(reasonOf(await give(asOwner, owner.id, 'admin'))).toBe('last_owner');
    expect(reasonOf(await asOwner.request('DELETE', `${team}/${owner.id}`))).toBe('last_owner');
    const made = (await asOwner.post(`${team}/roles`, role)).json as { id: string };
    expect((await give(asOwner, manager.id, made.id)).status).toBe(200);
    expect((await asManager.get(team)).status).toBe(403);
    expect(reasonOf(await asOwner.request('DELETE', `${team}/roles/${made.id}`))).toBe('role_in_use');
    expect((await asOwner.request('DELETE', `${team}/${manager.id}`)).status).toBe(200);
    expect((await asManager.get(team)).status).toBe(404);
  });

  test('lets nobody change the role that they have themselves, nor a key that may do more than they', async () => {
    const { world, business, owner } = await aPortal(database);
    const asOwner = await owner.signIn();
    const api = `/portal/api/${business.id}`;
    const permissions = ['team:read', 'team:write', 'api-keys:read', 'api-keys:write', 'sales:read'];
    const made = (await asOwner.post(`${api}/team/roles`, { name: 'Lead', permissions })).json as { id: string };
    const other = (await asOwner.post(`${api}/team/roles`, { name: 'Other', permissions })).json as { id: string };
    const lead = await (await aPortalUser(world, business.id, made.id)).signIn();
    const change = (browser: PortalBrowser, { id }: { id: string }, body: object) =>
      browser.request('PATCH', `${api}/team/roles/${id}`, body);
    for (const body of [{ name: 'Chief' }, { permissions: ['sales:read'] }]) {
      const refused = await change(lead, made, body);
      expect([refused.status, reasonOf(refused)]).toEqual([403, 'own_role']);
    }
    expect((await change(lead, other, { name: 'Others' })).status).toBe(200);
    expect((await change(asOwner, made, { name: 'Chief' })).status).toBe(200);

    const aKey = async (...held: string[]) =>
      (await asOwner.post(`${api}/api-keys`, { name: held.join(), permissions: held })).json as { id: string };
    const [strong, weak] = [await aKey('sales:read', 'refunds:write'), await aKey('sales:read')];
    const revoke = (browser: PortalBrowser, { id }: { id: string }) =>
      browser.request('DELETE', `${api}/api-keys/${id}`);
    const refused = await revoke(lead, strong);
    expect([refused.status, reasonOf(refused)]).toEqual([403, 'beyond_own_permissions']);
    expect(refused.json).toMatchObject({
      error: { message: expect.stringMatching(/^This key may do more than you/) as string },
    });
    expect((await asOwner.get(`${api}/api-keys/${strong.id}`)).json).toMatchObject({ status: 'active' });
    expect([(await revoke(lead, weak)).status, (await revoke(asOwner, strong)).status]).toEqual([200, 200]);
  });

  test('keeps an owner when two owners remove each other at once', async () => {
    const { world, business, owner } = await aPortal(database);
    const second = await aPortalUser(world, business.id, 'owner');
    const [one, two] = [await owner.signIn(), await second.signIn()];
    const team = `/portal/api/${business.id}/team`;
    await Promise.all([
      one.request('PATCH', `${team}/${second.id}`, { roleId: 'cashier' }),
      two.request('PATCH', `${team}/${owner.id}`, { roleId: 'cashier' }),
    ]);
    const key = await business.key(...permissionCodes);
    const listed = await fetch(`${world.url}/api/v1/team`, { headers: { authorization: `Bearer ${key}` } });
    const { items } = (await listed.json()) as { items: { role: { id: string } }[] };
    expect(items.map(({ role }) => role.id).sort()).toEqual(['cashier', 'owner']);
  });

  test('records refusals and changes in the audit log', async () => {
    const { world, business } = await aPortal(database);
    const cashier = await aPortalUser(world, business.id, 'cashier');
    const browser = await cashier.signIn();
    await portalBrowser(world).post('/portal/api/sign-in', { email: cashier.email, password: 'not the password' });
    const refused = await browser.get(`/portal/api/${business.id}/team`);
    expect(refused.json).toMatchObject({ error: { message: 'Your role lacks the permission team:read' } });
    const { audit } = world.backend.services;
    const kinds = async () =>
      (await audit.chain({ businessId: business.id, after: 0, limit: 50 })).map(({ kind }) => kind);
    await expect.poll(kinds).toEqual(expect.arrayContaining(['team_changed', 'sign_in_refused', 'permission_refused']));
    expect((await audit.verify(business.id)).kind).toBe('intact');
  });
});

import { statement } from '@florin/backend/foundation/database/database.ts';
import { operator } from '@florin/shared/actor.ts';
import { permissionCodes } from '@florin/shared/permissions.ts';
import type { BackendWorld } from './backend.ts';

const emailsByRecipient = statement<{ recipient: string }, { subject: string; text: string; html: string | null }>(
  ({ db }, arg) =>
    db.selectFrom('emails').select(['subject', 'text', 'html']).where('recipient', '=', arg('recipient')).orderBy('id'),
);

/** The e-mails to an address, oldest first. */
export function emailsTo({ backend }: Pick<BackendWorld, 'backend'>, recipient: string) {
  return backend.database.all(emailsByRecipient, { recipient });
}

type Answer = { readonly status: number; readonly json: unknown };

export type PortalBrowser = {
  get(path: string): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  /** With these headers instead of those of the portal's own page. */
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Another browser with the same cookie. */
  copy(): PortalBrowser;
  readonly cookie: () => string;
};

/** A browser with the portal open: it keeps the cookie and sends what browsers send. */
export function portalBrowser({ url }: Pick<BackendWorld, 'url'>, cookieNow = ''): PortalBrowser {
  let cookie = cookieNow;
  const own = { 'sec-fetch-site': 'same-origin' };
  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = own,
  ) {
    const json: Record<string, string> = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(url + path, {
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), ...json, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.slice(0, set.indexOf(';'));
    return { status: response.status, json: await response.json() };
  }
  return {
    request,
    get: path => request('GET', path),
    post: (path, body) => request('POST', path, body),
    patch: (path, body) => request('PATCH', path, body),
    copy: () => portalBrowser({ url }, cookie),
    cookie: () => cookie,
  };
}

let users = 0;

/** A user of the portal with this role in the business. */
export async function aPortalUser(world: Pick<BackendWorld, 'backend' | 'url'>, businessId: string, role: string) {
  const { portalUsers, team } = world.backend.services;
  users += 1;
  const user = { email: `user${users}@shop.example`, password: 'correct-horse-battery-7', name: `User ${users}` };
  const passwordJson = await portalUsers.hashPassword(user.password);
  const changer = { businessId, by: operator, held: new Set(permissionCodes) };
  const id = await world.backend.database.write(async tx => {
    const made = await portalUsers.create(tx, { ...user, passwordJson });
    if (!made || !(await team.join(tx, changer, made.id, role))) throw new Error('the user was not created');
    return made.id;
  });
  const { email, password } = user;
  return {
    id,
    email,
    password,
    async signIn(): Promise<PortalBrowser> {
      const browser = portalBrowser(world);
      const { status } = await browser.post('/portal/api/sign-in', { email, password });
      if (status !== 200) throw new Error(`signing in was answered with ${status}`);
      return browser;
    },
  };
}

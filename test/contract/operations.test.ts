import { type AnyContract, type PermissionRule, permissionsNeeded } from '@florin/shared/contracts/contract.ts';
import { operations } from '@florin/shared/contracts/operations.ts';
import { lnurlProblem, problem, ucpProblem } from '@florin/shared/contracts/problem.ts';
import { type Permission, permissionCodes } from '@florin/shared/permissions.ts';
import { idPrefixes } from '@florin/shared/ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBackend, type BackendWorld, type DatabaseKind, eachDatabase } from '../support/backend.ts';
import { everythingIn } from '../support/dump.ts';
import { isInPart } from '../support/part.ts';
import { inputSchema, sample, validBodies, type Wrong, wrongFields } from '../support/samples.ts';
import { recordsOf, type Side } from './records.ts';

/** Statuses that any operation may answer, besides those it declares. */
const always = [400, 413, 415, 429, 503];

type Request = {
  /** Whose address it is sent to in the portal; the tested one's if left out. */
  readonly businessId?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

class Tester {
  readonly world: BackendWorld;
  readonly tested: Side;
  readonly other: Side;
  readonly #weakKeys = new Map<string, Promise<string>>();

  constructor(world: BackendWorld, tested: Side, other: Side) {
    this.world = world;
    this.tested = tested;
    this.other = other;
  }

  static async start(database: DatabaseKind, until: (() => Promise<void> | void)[]): Promise<Tester> {
    const env = {
      // Nothing listens there: operations that need the gateway fail, and must still answer.
      GATEWAY_URL: 'http://127.0.0.1:1',
      GATEWAY_CARD_PRESENT_URL: 'http://127.0.0.1:1/card-present',
      ...Object.fromEntries(
        ['PER_KEY', 'PER_ADDRESS', 'STAFF_CHALLENGES', 'CALLBACKS'].map(name => [`RATE_LIMIT_${name}`, '1000000']),
      ),
    };
    const world = await aBackend({ database, env, until });
    return new Tester(world, await recordsOf(world, 'Tested'), await recordsOf(world, 'Other'));
  }

  /** A key of the tested business that holds these permissions. */
  keyWith(permissions: readonly Permission[]): Promise<string> {
    const name = permissions.toSorted().join();
    const known = this.#weakKeys.get(name) ?? this.tested.business.key(...permissions);
    this.#weakKeys.set(name, known);
    return known;
  }

  /** A request that the contract accepts, about records of the tested business. */
  valid(contract: AnyContract, body: unknown = validBodies(contract)[0]): Request {
    const params = Object.entries(inputSchema(contract, 'params')?.properties ?? {}).map(([name, schema]) => {
      const example = String(sample(schema));
      const known = isNamedByCaller(contract, name)
        ? this.tested.naturalKeys[name]
        : this.tested.ids[prefixOf(example)];
      return [name, known ?? example];
    });
    const { properties = {}, required = [] } = inputSchema(contract, 'query') ?? {};
    const query = required.map(name => [name, String(sample(properties[name] ?? {}))]);
    return { params: Object.fromEntries(params), query: Object.fromEntries(query), body: bodyText(contract, body) };
  }

  /** For each id in the body or query: the request with the other business's record, and with an id that does not exist. */
  withForeignIds(contract: AnyContract, body: unknown): { foreign: Request; unknown: Request }[] {
    const request = this.valid(contract, body);
    const foreign = (value: unknown) => this.other.ids[prefixOf(value)];
    const unused = (value: unknown) => foreign(value) && `${prefixOf(value)}_00000000000000000000000000000000`;
    const bodies = (replace: (text: string) => unknown): Request[] =>
      replacements(body, replace).map(changed => ({ ...request, body: bodyText(contract, changed) }));
    const queries = (replace: (text: string) => string | undefined): Request[] =>
      Object.entries(inputSchema(contract, 'query')?.properties ?? {}).flatMap(([name, schema]) => {
        const id = replace(String(sample(schema)));
        return id === undefined ? [] : [{ ...request, query: { ...request.query, [name]: id } }];
      });
    const unknown = [...bodies(unused), ...queries(unused)];
    return [...bodies(foreign), ...queries(foreign)].map((each, number) => ({
      foreign: each,
      unknown: unknown[number] ?? {},
    }));
  }

  /** The reason given for an address that is well-formed and names nothing. */
  async reasonForUnknown(contract: AnyContract, name: string): Promise<unknown> {
    const request = this.valid(contract);
    const given = request.params?.[name] ?? '';
    const params = { ...request.params, [name]: `${prefixOf(given) || 'unknown'}_${'0'.repeat(32)}` };
    return reasonOf((await this.ask(contract, { ...request, params, headers: this.credentials(contract) })).json);
  }

  credentials(contract: AnyContract, side: Side = this.tested): Record<string, string> {
    if (contract.authentication.includes('apiKey')) return { authorization: `Bearer ${side.key}` };
    if (contract.authentication.includes('deviceToken')) return { authorization: `Bearer ${side.token}` };
    if (contract.authentication.includes('kioskKey')) return { 'x-api-key': side.kioskKey };
    if (isForPortal(contract)) return { cookie: side.cookie };
    return {};
  }

  /** Sends the request and checks the answer against the contract. */
  async ask(contract: AnyContract, { businessId, params = {}, query = {}, body, headers = {} }: Request) {
    // What only the portal serves has the business in its address.
    const address = contract.authentication.includes('portalSession')
      ? contract.path.replace('/api/v1', `/portal/api/${businessId ?? this.tested.business.id}`)
      : contract.path;
    const path = address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const ofPage: Record<string, string> = path.startsWith('/portal/') ? { 'sec-fetch-site': 'same-origin' } : {};
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${this.world.url}${path}${search === '' ? '' : `?${search}`}`, {
      method: contract.method,
      redirect: 'manual',
      headers: { ...ofPage, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const { status } = response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const text = isStream ? '' : await response.text();
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    const forWallet = contract.errorShape === 'lnurl' ? lnurlProblem.strict().safeParse(json) : undefined;
    const [, wrongField, why = ''] = /^((?:params|query)[.][^:]+): (.*)$/s.exec(forWallet?.data?.reason ?? '') ?? [];
    if (status === 200 && wrongField !== undefined)
      return { status: 400, json, issues: [{ path: wrongField, message: why }], headers: response.headers };
    if (status < 400 || contract.responses[status]) {
      expect(Object.keys(contract.responses).map(Number)).toContain(status);
      return { status, json, issues: [] as { path: string; message: string }[], headers: response.headers };
    }
    if (contract.errorShape === 'ucp') {
      const { code, message } = ucpProblem.strict().parse(json);
      expect([...(contract.errors[status] ?? []), 'invalid_request']).toContain(code);
      const [path = '', words = ''] = message.split(/: (.*)/s);
      return { status, json, issues: [{ path, message: words }], headers: response.headers };
    }
    const { error } = problem.strict().parse(json);
    expect(error.code).toBe(status);
    const { reason, issues = [] } = error.metadata ?? {};
    const declared = contract.errors[status] ?? [];
    const isOfServer = [...always, 401, 403].includes(status) && (reason === undefined || status === 503);
    if (!isOfServer) expect(declared, `${status} ${JSON.stringify(json)}`).toContain(reason);
    expect(status).not.toBe(500);
    return { status, json, issues, headers: response.headers };
  }
}

function isForPortal({ authentication }: AnyContract): boolean {
  return authentication.some(scheme => scheme === 'portalSession' || scheme === 'portalUser');
}

/** How a 401 tells what it wants. */
function challengeOf(contract: AnyContract): string {
  if (isForPortal(contract)) return 'Cookie name="florin_session"';
  return contract.authentication.includes('kioskKey') ? 'ApiKey header="x-api-key"' : 'Bearer';
}

const knownPrefixes = new Set<string>([...Object.values(idPrefixes), 'set']);
const prefixOf = (value: unknown) => String(value).slice(0, Math.max(0, String(value).indexOf('_')));

/** Two businesses may use the same names; a terminal chooses the ids of the sales that staff start. */
function isNamedByCaller({ authentication }: AnyContract, parameter: string): boolean {
  if (['saleId', 'closingId', 'token'].includes(parameter)) return authentication.includes('deviceToken');
  return ['serial', 'requestId', 'staffNumber', 'passkeyId'].includes(parameter);
}

const reasonOf = (json: unknown): unknown =>
  (json as { error?: { metadata?: { reason?: unknown } } } | undefined)?.error?.metadata?.reason;

/** Every variant of a value in which one text within it is replaced. */
function replacements(value: unknown, replace: (text: string) => unknown): unknown[] {
  if (typeof value === 'string') {
    const other = replace(value);
    return other === undefined ? [] : [other];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    replacements(inner, replace).map(changed =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
}

function bodyText(contract: AnyContract, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  return contract.bodyFormat === 'text' && typeof body === 'string' ? body : JSON.stringify(body);
}

/**
 * Idempotent operations that are refused here, because there is no gateway, node or bitcoin price, or because the input needs
 * other records: `backend/foundation/idempotency/crash.test.ts` and `backend/channels/terminal-sales/terminal-sales.test.ts` repeat them.
 */
const repeatedElsewhere = new Set([
  'claimCheckout',
  'createBitcoinRefund',
  'createBitcoinRefundOfLink',
  'createBitcoinRefundOfPayment',
  'createCardRefund',
  'createCardRefundOfLink',
  'createCardRefundOfPayment',
  'createCheckout',
  'createExport',
  'createKioskKey',
  'createNotificationRecipient',
  'createRole',
  'createSavedView',
  'createStaff',
  'createTipLink',
  'createWithdrawal',
  'redeliverWebhook',
  'resolveDiscrepancy',
  'resolvePayment',
  'resolveRefund',
  'resolveWithdrawal',
  'startKioskSale',
  'startTerminalSale',
  'verifyUcpPayment',
]);

/** The tested business has no checks of passwords, and its terminals report nothing. */
const mayBeEmpty = new Set(['listDeviceAlerts', 'listRefundLog', 'listVoidLog']);

type Item = { readonly id?: string; readonly saleId?: string };
const nameOf = (item: Item) => item.id ?? item.saleId ?? JSON.stringify(item);

const held = (rule: PermissionRule): readonly Permission[] => (typeof rule === 'string' ? [rule] : rule.anyOf);

/** Declares a test for the operations that it applies to. The others do not have it, rather than skip it. */
const testIf = (applies: boolean) => (applies ? test : (_title: string, _run: () => Promise<void>) => undefined);

eachDatabase('each operation', database => {
  let tester: Tester;
  const until: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    tester = await Tester.start(database, until);
  });
  afterAll(async () => {
    for (const end of until.reverse()) await end();
  });

  // Operations that end a record run after the others, which need it: first those that keep it. Signing out is the last.
  const rank = ({ method, name }: AnyContract) =>
    name === 'signOut' ? 3 : method === 'DELETE' ? 2 : Number(name.startsWith('disable'));
  const inOrder = operations.toSorted((a, b) => rank(a) - rank(b));
  describe.each(inOrder.map(contract => [contract.name, contract] as const))('%s', (_, contract) => {
    const isOpen = contract.authentication.some(scheme => scheme === 'none' || scheme === 'signedCallback');
    const takesKeys = contract.authentication.includes('apiKey');

    testIf(!isOpen || takesKeys)(
      'is 401 with wrong credentials, and without any unless nobody needs them',
      async () => {
        const request = tester.valid(contract);
        const wrong: Record<string, string>[] = [
          { authorization: 'Bearer florin_api_live_0123456789abcdefghijklmnopqrstuvwxyz012345' },
          { authorization: 'Basic dXNlcjpwYXNz' },
          { authorization: `Bearer ${takesKeys ? tester.tested.token : tester.tested.key}` },
        ];
        const missing: Record<string, string>[] = [{}, { 'x-api-key': tester.tested.key }];
        for (const headers of isOpen ? wrong : [...wrong, ...missing]) {
          const { status, headers: responseHeaders } = await tester.ask(contract, { ...request, headers });
          expect([status, responseHeaders.get('www-authenticate')]).toEqual([401, challengeOf(contract)]);
        }
      },
    );

    testIf(takesKeys && (contract.permissions.length > 0 || contract.permissionsFor !== undefined))(
      'is 403 without each permission it needs, for every body',
      async () => {
        for (const body of validBodies(contract)) {
          const needed = permissionsNeeded(contract, contract.body.parse(body));
          for (const rule of needed) {
            const key = await tester.keyWith(permissionCodes.filter(code => !held(rule).includes(code)));
            const headers = { authorization: `Bearer ${key}` };
            const { status, json } = await tester.ask(contract, { ...tester.valid(contract, body), headers });
            const expected =
              contract.errorShape === 'ucp'
                ? { message: expect.stringContaining(held(rule).join(' or ')) as string }
                : { error: { metadata: { missingPermissions: held(rule) } } };
            expect([status, json]).toMatchObject([403, expected]);
          }
        }
      },
    );

    const inPart = test.runIf(isInPart(contract.name, 3));
    inPart('refuses each wrong field, and the error names it and says what it must be', async () => {
      const headers = tester.credentials(contract);
      for (const part of ['params', 'query'] as const) {
        for (const wrong of wrongFields(inputSchema(contract, part) ?? {})) {
          // Values in an address are always text.
          if (typeof wrong.value !== 'string' || !wrong.value.isWellFormed()) continue;
          const request = tester.valid(contract);
          const [name = ''] = wrong.path;
          // Pages accept any address and show an error page instead.
          if (Object.values(contract.responses).some(({ kind }) => kind === 'page' || kind === 'redirect')) continue;
          const changed = { ...request, [part]: { ...request[part], [name]: wrong.value.slice(0, 2_000) }, headers };
          const { status, json, issues } = await tester.ask(contract, changed);
          if (!wrong.isRefused) continue;
          expect([wrong.what, name, status, issues[0]?.path]).toEqual([
            wrong.what,
            name,
            part === 'params' && contract.errors[404] ? 404 : 400,
            `${part}.${name}`,
          ]);
          // The same as for an id that does not exist.
          if (status === 404) expect(reasonOf(json)).toBe(await tester.reasonForUnknown(contract, name));
        }
      }
      const schema = inputSchema(contract, 'body');
      for (const wrong of schema?.type === 'object' ? wrongFields(schema) : []) {
        const body = withWrong(contract, wrong);
        const { status, issues } = await tester.ask(contract, { ...tester.valid(contract), body, headers });
        if (!wrong.isRefused) continue;
        const path = wrong.path.join('.');
        expect([wrong.what, path, status, issues.map(issue => issue.path)]).toEqual([
          wrong.what,
          path,
          400,
          expect.arrayContaining([path]),
        ]);
        for (const { message } of issues) expect(message).toMatch(/^(must|is required|does not|is |are |limits )/);
      }
    });

    test('accepts what its contract accepts, and answers as it declares', async () => {
      const headers = tester.credentials(contract);
      for (const body of validBodies(contract)) {
        const { status } = await tester.ask(contract, { ...tester.valid(contract, body), headers });
        // Rules that no schema expresses (a time in the past, a signature) may still refuse it.
        const mayBeWrong = body !== validBodies(contract)[0] || 400 in contract.errors;
        if (!mayBeWrong) expect([body, status]).not.toEqual([body, 400]);
      }
    });

    const idsInPath = Object.entries(inputSchema(contract, 'params')?.properties ?? {})
      .filter(([name, schema]) => !isNamedByCaller(contract, name) && knownPrefixes.has(prefixOf(sample(schema))))
      .map(([name, schema]) => ({ name, prefix: prefixOf(sample(schema)) }));
    // Anyone with the address of a page may open it, and a gateway's callback is told by its signature.
    const isForEverybody = contract.authentication.every(scheme => scheme === 'none' || scheme === 'signedCallback');
    testIf(idsInPath.length > 0 && !isForEverybody)('does not find the records of others', async () => {
      const { tested, other } = tester;
      for (const { prefix } of idsInPath)
        expect(tested.ids, 'recordsOf must make a record of each kind').toHaveProperty(prefix);
      const others = [tester.credentials(contract, other)];
      if (contract.authentication.includes('kioskKey')) others.push({ 'x-api-key': tested.otherKioskKey });
      for (const body of validBodies(contract)) {
        const request = tester.valid(contract, body);
        if (contract.method === 'GET')
          expect((await tester.ask(contract, { ...request, headers: tester.credentials(contract) })).status).toBe(200);
        const missing = idsInPath.map(({ name, prefix }) => [name, `${prefix}_${'0'.repeat(32)}`]);
        const params = { ...request.params, ...Object.fromEntries(missing) };
        for (const headers of others) {
          const byOther = { ...request, headers, businessId: other.business.id };
          const expected = await tester.ask(contract, { ...byOther, params });
          const { status, json } = await tester.ask(contract, byOther);
          expect([status, reasonOf(json)]).toEqual([404, reasonOf(expected.json)]);
          expect(expected.status).toBe(404);
        }
      }
    });

    testIf(!isForEverybody)(
      'treats another business’s record in a body or query as one that does not exist',
      async () => {
        const headers = tester.credentials(contract);
        const { database } = tester.world.backend;
        // The use of an API key is saved after the response, and may be that of an earlier test.
        const kept = async () => (await everythingIn(database)).replaceAll(/"lastUsedAt":\d+/g, '"lastUsedAt":null');
        for (const body of validBodies(contract)) {
          for (const { foreign, unknown } of tester.withForeignIds(contract, body)) {
            const expected = await tester.ask(contract, { ...unknown, headers });
            const before = await kept();
            const response = await tester.ask(contract, { ...foreign, headers });
            expect([response.status, reasonOf(response.json)], JSON.stringify(foreign)).toEqual([
              expected.status,
              reasonOf(expected.json),
            ]);
            if (response.status < 400) expect(contract.method, JSON.stringify(foreign)).toBe('GET');
            expect(await kept()).toEqual(before);
            const isShown = Object.values(tester.other.ids).filter(id => JSON.stringify(response.json).includes(id));
            if (response.status < 400) expect(isShown).toEqual([]);
          }
        }
      },
    );

    const isList = inputSchema(contract, 'query')?.properties?.cursor !== undefined;
    testIf(isList && !isForEverybody)('lists what its business has, page by page, and nothing of another', async () => {
      const { other } = tester;
      const { params = {}, query = {} } = tester.valid(contract);
      const list = async (limit: string, cursor?: string) => {
        const page = { ...query, limit, ...(cursor === undefined ? {} : { cursor }) };
        const listed = await tester.ask(contract, { params, query: page, headers: tester.credentials(contract) });
        expect(listed.status).toBe(200);
        return listed.json as { items: Item[]; nextCursor: string | null };
      };
      const { items } = await list('100');
      for (const id of [other.business.id, ...Object.values(other.ids)])
        expect(JSON.stringify(items)).not.toContain(id);
      if (!mayBeEmpty.has(contract.name)) expect(items).not.toEqual([]);
      const page = await list('1');
      const next = page.nextCursor === null ? { items: [] } : await list('1', page.nextCursor);
      // Records may change while they are read.
      expect([...page.items, ...next.items].map(nameOf)).toEqual(items.slice(0, 2).map(nameOf));
    });

    testIf(contract.idempotent === true)(
      'answers a repetition with the same Idempotency-Key from the stored answer',
      async () => {
        let isAccepted = false;
        for (const [number, body] of validBodies(contract).entries()) {
          const headers = {
            ...tester.credentials(contract),
            'idempotency-key': `derived-${contract.name}-${number}`,
          };
          const request = { ...tester.valid(contract, body), headers };
          const first = await tester.ask(contract, request);
          if (first.status >= 300) continue;
          isAccepted = true;
          const second = await tester.ask(contract, request);
          expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
        }
        expect(isAccepted, 'accepted, or repeated by another test').toBe(!repeatedElsewhere.has(contract.name));
      },
    );

    const natural = Object.entries(inputSchema(contract, 'params')?.properties ?? {})
      .filter(([name, schema]) => isNamedByCaller(contract, name) || !knownPrefixes.has(prefixOf(sample(schema))))
      .map(([name]) => name);
    testIf(natural.length > 0 && !isOpen)('reveals nothing to another business that uses the same names', async () => {
      const { tested, other } = tester;
      for (const name of natural)
        expect(tested.naturalKeys, `recordsOf must make a record with this ${name}`).toHaveProperty(name);
      const askAs = (side: Side) =>
        tester.ask(contract, { ...tester.valid(contract), headers: tester.credentials(contract, side) });
      // recordsOf makes no sale in bitcoin.
      const isThere = contract.method === 'GET' && !contract.path.endsWith('/bitcoin');
      if (isThere) expect((await askAs(tested)).status).toBeLessThan(400);
      const shown = JSON.stringify((await askAs(other)).json);
      for (const id of [tested.business.id, ...Object.values(tested.ids)]) expect(shown).not.toContain(id);
    });

    testIf(contract.method !== 'GET')('refuses a body that is not JSON, a list or empty', async () => {
      if (contract.bodyFormat === 'text' || inputSchema(contract, 'body') === undefined) return;
      const headers = tester.credentials(contract);
      for (const body of ['{', '[]', 'null', '"x"', '']) {
        expect((await tester.ask(contract, { ...tester.valid(contract), body, headers })).status).toBe(400);
      }
    });
  });
});

/** A body that the contract would accept except for one field. */
function withWrong(contract: AnyContract, { path, value, source }: Wrong): string {
  const base = validBodies(contract).find(body => hasParent(body, path)) ?? sampleOf(contract, path);
  const body = structuredClone(base) as Record<string, unknown>;
  let at = body;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined && source === undefined) delete at[last];
  else at[last] = source === undefined ? value : '§number§';
  return JSON.stringify(body).replace('"§number§"', source ?? '');
}

function hasParent(body: unknown, path: readonly string[]): boolean {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], body);
  return typeof parent === 'object' && parent !== null;
}

function sampleOf(contract: AnyContract, path: readonly string[]): unknown {
  return sample(inputSchema(contract, 'body') ?? {}, path);
}

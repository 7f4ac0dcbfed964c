import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { operations } from '@florin/shared/contracts/operations.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { packagesOf } from './packages.ts';

const root = join(import.meta.dirname, '../../..');
let built = '';
let build: Ended;

/** Built in `dist/`, where native modules are found as on an operator's machine. */
beforeAll(async () => {
  mkdirSync(join(root, 'dist'), { recursive: true });
  built = mkdtempSync(join(root, 'dist/test-'));
  build = await run(join(root, 'backend/programs/build/cli.ts'), ['--out', built]);
}, 300_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

type Ended = { readonly code: number; readonly out: string; readonly err: string };

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return promisify(execFile)(process.execPath, [program, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout,
      err: error.stderr,
    }),
  );
}

const backend = () => join(built, 'backend/main.cjs');

async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const { out, err } = await run(join(built, 'admin/main.cjs'), [...args, '--json']);
  expect(err).toBe('');
  return JSON.parse(out) as Record<string, unknown>;
}

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'florin-built-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('the build says what it built, and nothing that looks like a failure', () => {
  expect(build).toEqual({ code: 0, out: expect.stringMatching(/^Built \S+(, \S+)*\n$/), err: '' });
});

const readyLine = z.object({ ready: z.literal(true), url: z.string() });

test('the built terminal serves its screens, and stops on SIGTERM', async () => {
  const options = ['--port', '0', '--data', aDirectory(), '--service', 'http://127.0.0.1:9', '--json', '--quiet'];
  const child = spawn(process.execPath, [join(built, 'terminal/main.cjs'), ...options, '--reader', '/dev/null']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const ready = new Promise<string>(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('{"ready"')) resolve(line);
    });
  });
  const { url } = readyLine.parse(JSON.parse(await ready));
  const page = await (await fetch(url)).text();
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1];
  expect((await fetch(new URL(String(script), url))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('the built backend starts on an empty database, serves an authenticated caller, and stops on SIGTERM', async () => {
  const data = aDirectory();
  const child = spawn(process.execPath, [backend(), '--port', '0', '--data', data], { env: {}, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = readyLine.parse(JSON.parse(line));
  for (const probe of ['/healthz', '/readyz', '/api/v1/docs/swagger-ui.js', '/api/v1/docs/swagger-ui.css'])
    expect((await fetch(url + probe)).status).toBe(200);
  const page = await fetch(`${url}/pay/pl_unknown`);
  const style = /href="(\/assets\/style-\w+\.css)"/.exec(await page.text())?.[1];
  expect([page.status, (await fetch(url + style)).status]).toEqual([404, 200]);
  const portal = await (await fetch(`${url}/portal`)).text();
  const script = /src="(\/portal\/assets\/portal-\w+\.js)"/.exec(portal)?.[1];
  const compressed = await fetch(url + script, { headers: { 'accept-encoding': 'gzip, br' } });
  expect([compressed.status, compressed.headers.get('content-encoding')]).toEqual([200, 'br']);
  const mediaTypeFor = async (accept: string) =>
    (await fetch(`${url}/nowhere`, { headers: { accept } })).headers.get('content-type')?.split(';')[0];
  expect(await mediaTypeFor('text/html,*/*;q=0.8')).toBe('text/html');
  expect(await mediaTypeFor('*/*')).toBe('application/json');

  await admin('business', 'create', '--name', 'Shop', '--data', data);
  const { key } = await admin('api-key', 'create', '--name', 'x', '--permissions', 'devices:read', '--data', data);
  const devices = (authorization: string) => fetch(`${url}/api/v1/devices`, { headers: { authorization } });
  expect((await devices(`Bearer ${String(key)}`)).status).toBe(200);
  expect((await devices('Bearer florin_api_live_nobody')).status).toBe(401);
  expect((await fetch(`${url}/api/v1/openapi.json`)).status).toBe(200);

  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('lazily loaded modules are included: password hashing, the HTTP client, PostgreSQL', async () => {
  const data = aDirectory();
  await admin('business', 'create', '--name', 'Shop', '--data', data);
  const staff = await admin('staff', 'create', '--number', '17', '--name', 'Ann', '--data', data);
  expect(staff.temporaryPassword).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  const settle = await run(join(built, 'admin/main.cjs'), ['sandbox', 'settle', '--port-base', '1024']);
  expect(settle).toMatchObject({ code: 1, err: expect.stringContaining('does not respond') });
  const unreachable = { DATABASE_URL: 'postgres://florin@127.0.0.1:1/florin' };
  const started = await run(backend(), ['--port', '0'], unreachable);
  expect(started).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Florin cannot start: [^\n]*ECONNREFUSED[^\n]*DATABASE_URL\n$/),
  });
});

test('the sources read at every start are ASCII: any other character doubles a source’s memory', () => {
  for (const file of ['main.cjs', 'parts/main.cjs', 'parts/database.cjs'])
    expect(readFileSync(join(built, 'backend', file), 'utf8').match(/[^\0-\x7f].{0,40}/)).toBeNull();
});

test.each([
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['(GPL-3.0-only OR MIT)', true],
  ['Apache-2.0 AND MIT', true],
])('a package under %s is shipped: %s', (license, isShipped) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installed = join(folder, 'node_modules', 'a-package');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'a-package', version: '1.0.0', license }));
  const found = () => packagesOf([join(installed, 'index.js')]).map(({ name }) => name);
  if (isShipped) expect(found()).toEqual(['a-package']);
  else expect(found).toThrow('not one of the permitted licences');
});

test('the licence of every shipped package is included', () => {
  const licences = readFileSync(join(built, 'THIRD_PARTY_LICENCES'), 'utf8');
  const titles = new Set([...licences.matchAll(/^(\S+) \d+\.\S+ \([^)]+\)$/gm)].map(([, name]) => name));
  const maps = globSync('{backend,admin}/**/*.map', { cwd: built }).map(file =>
    readFileSync(join(built, file), 'utf8'),
  );
  const sources = maps.flatMap(map => z.object({ sources: z.array(z.string()) }).parse(JSON.parse(map)).sources);
  const packages = sources.flatMap(source => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  expect(packages.length).toBeGreaterThan(100);
  const shipped = [...packages, 'better-sqlite3', 'argon2'].filter(name => !name.startsWith('@florin/'));
  expect([...new Set(shipped)].filter(name => !titles.has(name))).toEqual([]);
  expect([...titles].filter(name => name?.startsWith('@florin/'))).toEqual([]);
  expect(licences).toContain('Permission is hereby granted, free of charge');
});

test('the bill of materials names every shipped package with its version and licence, and nothing that changes with the time', () => {
  const text = readFileSync(join(built, 'bom.json'), 'utf8');
  const bill = billOfMaterials.parse(JSON.parse(text));
  const titles = bill.components.map(({ group, name, version, licenses: [licence] }) => {
    const whole = group === undefined ? name : `${group}/${name}`;
    return `${whole} ${version} (${licence?.expression})`;
  });
  const licences = readFileSync(join(built, 'THIRD_PARTY_LICENCES'), 'utf8');
  expect(titles).toEqual([...licences.matchAll(/^\S+ \d+\.\S+ \([^)]+\)$/gm)].map(([title]) => title));
  // What is in the bundle, though it is a package for development; what is installed for one that is not in it.
  for (const name of ['react-dom', 'express', 'better-sqlite3', 'node-gyp-build', '@phc/format']) {
    const { version, license } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    expect(titles).toContain(`${name} ${version} (${license})`);
  }
  const forDevelopment = /^(vite|vitest|rolldown|typescript|@types\/|@florin\/)/;
  expect(titles.filter(title => forDevelopment.test(title))).toEqual([]);
  expect(bill.components.map(({ purl }) => purl)).toContainEqual(
    expect.stringMatching(/^pkg:npm\/%40scure\/base@\d+\.\d+\.\d+$/),
  );
});

/** Every field is named: a time or a serial number would be another one. */
const billOfMaterials = z.strictObject({
  $schema: z.string(),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  version: z.literal(1),
  metadata: z.strictObject({
    component: z.strictObject({
      type: z.literal('application'),
      'bom-ref': z.string(),
      name: z.literal('florin'),
      version: z.string(),
    }),
  }),
  components: z.array(
    z.strictObject({
      type: z.literal('library'),
      'bom-ref': z.string(),
      group: z.string().optional(),
      name: z.string(),
      version: z.string(),
      licenses: z.tuple([z.strictObject({ expression: z.string() })]),
      purl: z.string(),
    }),
  ),
});

/** A project with the built client installed. */
function aProject(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(built, 'project-'));
  mkdirSync(join(folder, 'node_modules/@florin'), { recursive: true });
  symlinkSync(join(built, 'client'), join(folder, 'node_modules/@florin/client'));
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files }))
    writeFileSync(join(folder, name), text);
  return folder;
}

test('the built client is one module without dependencies, with a method for every operation', async () => {
  const text = readFileSync(join(built, 'client/index.js'), 'utf8');
  expect(text.match(/^import .*$|\bfrom ["'].*$|\brequire\(.*$/gm) ?? []).toEqual([]);
  expect(readFileSync(join(built, 'client/THIRD_PARTY_LICENCES'), 'utf8')).toMatch(/^eventsource-parser /m);
  const program = `import { createClient, createKioskClient } from '@florin/client';
    const baseUrl = 'http://127.0.0.1:1';
    const clients = [createClient({ baseUrl, apiKey: 'x' }), createKioskClient({ baseUrl, kioskKey: 'x' })];
    console.log(JSON.stringify(clients.flatMap(Object.keys)));`;
  const { out } = await run(join(aProject({ 'main.js': program }), 'main.js'), []);
  const wanted = operations.filter(({ path }) => /^\/(api|kiosk)\/v1\//.test(path)).map(({ name }) => name);
  expect((JSON.parse(out) as string[]).toSorted()).toEqual(wanted.toSorted());
});

test('the types of the built client need no other package and enforce the contracts', async () => {
  const program = `import { createClient, followSale, unwrap } from '@florin/client';
    const florin = createClient({ baseUrl: 'https://payments.example', apiKey: 'x' });
    const body = { serial: 'FL-0001', amountInCents: 1250, currency: 'GBP' };
    const answer = await florin.startTerminalSale({ body });
    if (answer.outcome === 'unknown') console.log(answer.idempotencyKey, answer.message);
    const { saleId } = unwrap(answer);
    for await (const { status } of followSale(florin, saleId)) if (status === 'COMPLETE') console.log('paid');
    // @ts-expect-error: an amount is a number
    await florin.startTerminalSale({ body: { ...body, amountInCents: '12.50' } });
    // @ts-expect-error: no such status
    for await (const { status } of followSale(florin, saleId)) if (status === 'PAID') console.log('paid');`;
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] };
  const project = JSON.stringify({ compilerOptions, include: ['main.ts'] });
  const folder = aProject({ 'main.ts': program, 'tsconfig.json': project });
  expect(await run(join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder, '--singleThreaded'])).toEqual({
    code: 0,
    out: '',
    err: '',
  });
});

test('licence comments of bundled packages are kept, and the source map points to our sources', () => {
  const program = join(built, 'backend/parts/main.cjs');
  const holds = (text: string) => readFileSync(program, 'utf8').includes(text);
  expect(['Douglas Christopher Wilson', 'MIT Licensed'].filter(text => !holds(text))).toEqual([]);
  const map = z.object({ sources: z.array(z.string()) }).parse(JSON.parse(readFileSync(`${program}.map`, 'utf8')));
  expect(map.sources.filter(source => source.endsWith('/backend/compose.ts'))).toHaveLength(1);
});

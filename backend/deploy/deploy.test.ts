import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../test/support/backend.ts';
import { environment } from '../config/settings.ts';
import { commands } from '../programs/admin/commands.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const units = globSync(['backend/deploy/systemd/*', 'device/deploy/*.service'], { cwd: root }).toSorted();
const dockerfile = read('backend/deploy/Dockerfile');
const compose = read('backend/deploy/compose.yaml');
const example = read('backend/deploy/florin.env.example');

/** Names that are not settings of the service, and whose they are. */
const ofOthers: Readonly<Record<string, string>> = {
  NODE_ENV: 'Node.js',
  NODE_COMPILE_CACHE: 'Node.js',
  ELECTRON_SKIP_BINARY_DOWNLOAD: 'npm install of electron',
  POSTGRES_DB: 'the image of PostgreSQL',
  POSTGRES_USER: 'the image of PostgreSQL',
  POSTGRES_PASSWORD: 'the image of PostgreSQL',
  FLORIN_HOST: 'the Caddyfile',
  ADMIN: 'backup.sh',
  BACKUP_PASSPHRASE_FILE: 'a flag of admin backup',
};

test('every variable that is set is a setting, or of a named other program', () => {
  const set = [
    ...dockerfile.matchAll(/^ENV (.*)$/gm),
    ...units.flatMap(unit => [...read(unit).matchAll(/^Environment=(.*)$/gm)]),
  ].flatMap(([, pairs = '']) => [...pairs.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name ?? ''));
  const listed = [...example.matchAll(/^([A-Z_]+)=/gm), ...compose.matchAll(/^ +([A-Z_]+): /gm)].map(
    ([, name]) => name ?? '',
  );
  expect(set.length).toBeGreaterThan(8);
  expect(listed.length).toBeGreaterThan(12);
  const unknown = [...set, ...listed].filter(name => !(name in environment.shape) && !(name in ofOthers));
  expect(unknown).toEqual([]);
  const flags = Object.values(commands.backup ?? {}).flatMap(({ flags: all }) => Object.values(all));
  expect(flags.map(({ env }) => env)).toContain('BACKUP_PASSPHRASE_FILE');
});

test('every file that is copied, started or mounted exists, or is built', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?:--chown=\S+ )?(?!--from)(.+) \.\S*$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const started = units.flatMap(unit =>
    [...read(unit).matchAll(/(?:\/opt\/florin\/|\.\/|(?<= ))((?:backend|device|dist)\/[\w./-]+)/g)].map(
      ([, path]) => path ?? '',
    ),
  );
  const mounted = [...compose.matchAll(/- \.\/([\w.]+):/g)].map(([, name]) => `backend/deploy/${name}`);
  const inImage = [...`${dockerfile}${compose}`.matchAll(/dist\/\w+\/main\.cjs/g)].map(([path]) => path);
  const script = /\$0"\)\/\.\.\/\.\.\/(\S+?)"/.exec(read('backend/deploy/backup.sh'))?.[1] ?? 'no program';
  const wrapped = /\/opt\/florin\/(\S+)/.exec(read('backend/deploy/florin-admin'))?.[1] ?? 'no program';
  const paths = [...copied, ...started, ...mounted, ...inImage, script, wrapped];
  expect(paths).toEqual(expect.arrayContaining(['backend/deploy/Caddyfile', 'backend/deploy/backup.sh']));
  expect(paths).toContain('dist/terminal/main.cjs');
  // backend/programs/build/cli.ts makes these.
  const built = new Set(['dist/backend/main.cjs', 'dist/admin/main.cjs', 'dist/terminal/main.cjs']);
  expect(paths.filter(path => !built.has(path) && !existsSync(join(root, path)))).toEqual([]);
  expect(paths.filter(path => built.has(path)).length).toBeGreaterThan(4);
});

test('an install compiles nothing: npm runs no scripts of packages, and each native one brings its compiled code, which is used', async () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const firstInstall = dockerfile.indexOf('npm ci');
  expect(dockerfile.slice(0, firstInstall)).toMatch(/^COPY (?:--chown=\S+ )?.*\.npmrc .*\.\/$/m);
  const folders = ['node_modules/*', 'node_modules/@*/*'];
  const native = globSync(
    folders.map(folder => `${folder}/binding.gyp`),
    { cwd: root },
  ).map(dirname);
  expect(native).toContain('node_modules/better-sqlite3');
  const toCompile = native.filter(
    folder => globSync(`${folder}/prebuilds/**/*linux-x64*{,/*}.node`, { cwd: root }).length === 0,
  );
  expect(toCompile).toEqual([]);
  new SqliteConnection(':memory:').close();
  await import('argon2');
  createRequire(join(root, 'device/main'))('@serialport/bindings-cpp');
  const { sharedObjects } = process.report.getReport() as unknown as { readonly sharedObjects: readonly string[] };
  for (const folder of native) {
    const used = sharedObjects.filter(file => file.includes(`/${folder}/`));
    expect([folder, used]).toEqual([folder, [expect.stringContaining('/prebuilds/')]]);
  }
});

test('images come from the usual registry by their plain names, and nothing runs as root or unconfined', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ +image: (\S+)$/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(images.length).toBe(5);
  expect(images.filter(name => name.includes('/'))).toEqual([]);
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
  expect(last).toMatch(/^USER node$/m);
  expect(compose).toMatch(/read_only: true[\s\S]*cap_drop: \[ALL\]/);
  for (const unit of units.filter(name => name.endsWith('.service'))) {
    const text = read(unit);
    expect(text).toMatch(/^User=florin/m);
    for (const line of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict', 'ProtectHome=yes'])
      expect([unit, text.split('\n').includes(line)]).toEqual([unit, true]);
  }
});

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-units-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const unit of units) {
    // The programs are not installed here.
    const file = join(folder, (unit.split('/').at(-1) ?? '').replace('@.', '@4100.'));
    writeFileSync(file, read(unit).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  }
  const verified = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...readdirSync(folder).map(name => join(folder, name))],
    { encoding: 'utf8' },
  );
  const about = verified.stderr.split('\n').filter(line => line.includes('florin'));
  expect(about).toEqual([]);
});

test('the health check of the image succeeds while the service answers, and fails when it does not', async () => {
  const world = await aBackend();
  const command = /HEALTHCHECK [^\n]*CMD (\[.*\])$/m.exec(dockerfile)?.[1];
  const [program, ...args] = JSON.parse(command ?? '[]') as string[];
  expect(program).toBe('node');
  const check = async () => {
    const child = spawn(process.execPath, args, { env: { PORT: new URL(world.url).port } });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };
  expect(await check()).toBe(0);
  await world.stop();
  expect(await check()).toBe(1);
});

test('the backup script writes a backup, proves it, and removes old ones only then', async () => {
  const { settings, aBusiness } = await aBackend();
  await aBusiness();
  const folder = mkdtempSync(join(tmpdir(), 'florin-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const old = join(folder, '20200101T000000Z.backup');
  writeFileSync(old, 'old');
  execFileSync('touch', ['-d', '40 days ago', old]);
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n');
  const admin = `${process.execPath} ${join(root, 'backend/programs/admin/cli.ts')}`;
  const run = async (ADMIN: string) => {
    const env = { PATH: process.env.PATH, ADMIN, DATA: settings.data, BACKUP_PASSPHRASE_FILE: passphrase };
    const child = spawn('sh', [join(root, 'backend/deploy/backup.sh'), folder, '30'], { env, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };
  // What the metrics and their alert go by.
  const proven = join(settings.data, 'backup-proven');
  expect(await run('false')).not.toBe(0);
  expect([existsSync(old), existsSync(proven)]).toEqual([true, false]);
  expect(await run(admin)).toBe(0);
  expect(existsSync(proven)).toBe(true);
  expect(readdirSync(folder).filter(name => name.endsWith('.backup'))).toEqual([
    expect.stringMatching(/^20[3-9]\d|^202[1-9]/),
  ]);
  expect(existsSync(old)).toBe(false);
});

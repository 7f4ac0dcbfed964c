import { readFileSync } from 'node:fs';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import electronVite from '../electron.vite.config.ts';
import device from '../package.json' with { type: 'json' };

const folder = new URL('./', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** What must hold of the configuration; electron-builder checks the rest of it when it packages. */
const configuration = z.object({
  electronVersion: z.string(),
  files: z.array(z.string()),
  asar: z.literal(true),
  electronFuses: z.record(z.string(), z.boolean()),
  publish: z.object({ provider: z.literal('generic'), url: z.string() }),
  nsis: z.object({ perMachine: z.literal(true), deleteAppDataOnUninstall: z.literal(false) }),
  win: z.object({ verifyUpdateCodeSignature: z.literal(true) }),
  mac: z.object({ hardenedRuntime: z.literal(true), notarize: z.literal(true) }),
});
const builder = configuration.parse(parse(read('electron-builder.yaml')));

test('the packaged program cannot be turned into a plain Node or be inspected, and runs no changed code', () => {
  expect(builder.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
  });
});

test('the package has what the build writes, and no source', () => {
  const { main, preload } = z
    .object({
      main: z.object({ build: z.object({ outDir: z.string() }) }),
      preload: z.object({ build: z.object({ outDir: z.string() }) }),
    })
    .parse(electronVite);
  for (const { build } of [main, preload]) expect(builder.files).toContain(`${build.outDir}/**`);
  expect(builder.files).toContain('renderer/dist/**');
  expect(builder.files).toContain('!**/node_modules/@florin/**');
  expect(device.main.startsWith(`${main.build.outDir}/`)).toBe(true);
});

test('the address and the key of updates are given together when the program is built', async () => {
  const url = 'https://updates.example.com/terminal';
  const built = async (given: Readonly<Record<string, string>>) => {
    vi.resetModules();
    for (const name of ['URL', 'PUBLIC_KEY']) vi.stubEnv(`FLORIN_UPDATES_${name}`, given[name]);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { default: config } = await import('../electron.vite.config.ts');
    return z.object({ main: z.object({ define: z.object({ florinUpdates: z.string() }) }) }).parse(config).main.define;
  };
  expect(await built({})).toEqual({ florinUpdates: 'undefined' });
  const { publicKey } = keyPairOf(Buffer.alloc(32, 7));
  const given = await built({ URL: url, PUBLIC_KEY: publicKey });
  expect(JSON.parse(given.florinUpdates)).toEqual({ url, publicKey });
  for (const half of [{ URL: url }, { PUBLIC_KEY: publicKey }, { URL: url, PUBLIC_KEY: 'mistyped' }])
    await expect(built(half)).rejects.toThrow('belong together');
});

test('the address of updates is given when a package is made, and stands nowhere in the product', () => {
  expect(builder.publish.url).toBe(`\${env.FLORIN_UPDATES_URL}`);
});

test('electron-builder is locked to one version, and packages the Electron that the product is built with', () => {
  expect(builder.electronVersion).toBe(device.devDependencies.electron);
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
    .parse(JSON.parse(read('package-lock.json')));
  expect(packages['node_modules/electron-builder']?.version).toBe(devDependencies['electron-builder']);
});

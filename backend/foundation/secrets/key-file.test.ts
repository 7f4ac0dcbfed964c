import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import { runAdmin } from '../../programs/admin/run.ts';

async function admin(DATA: string, ...args: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const print = (text: string) => {
    out += `${text}\n`;
  };
  return { code: await runAdmin({ args, env: { DATA }, print, printError: print }), out };
}

/** The data folder of a business whose service has run, and a copy of it without the key file. */
async function aFolderWithoutKey(): Promise<{ readonly DATA: string; readonly keyFile: string }> {
  const world = await aBackend();
  await world.aBusiness();
  await world.stop();
  const DATA = mkdtempSync(join(tmpdir(), 'florin-key-'));
  onTestFinished(() => rmSync(DATA, { recursive: true, force: true }));
  for (const name of readdirSync(world.settings.data))
    if (name !== 'secrets.key') copyFileSync(join(world.settings.data, name), join(DATA, name));
  return { DATA, keyFile: join(DATA, 'secrets.key') };
}

const inPlaceOfIt = /^There is no secrets key in [^\n]*: put that secrets\.key back there[^\n]*\n?$/;
const createKey = ['api-key', 'create', '--name', 'shop', '--preset', 'REPORTING'] as const;

test('no key is made for a database that has something sealed with another, which is to be put back', async () => {
  const { DATA, keyFile } = await aFolderWithoutKey();
  await expect(aBackend({ env: { DATA } })).rejects.toMatchObject({
    code: 'SECRETS_KEY_MISSING',
    message: expect.stringMatching(inPlaceOfIt),
  });
  for (const args of [createKey, ['backup', 'create', '--file', `${DATA}/florin.backup`]])
    expect([args, await admin(DATA, ...args)]).toEqual([args, { code: 1, out: expect.stringMatching(inPlaceOfIt) }]);
  expect(readdirSync(DATA).filter(name => !name.startsWith('backend.db'))).toEqual([]);
  expect(existsSync(keyFile)).toBe(false);
});

test('a key that does not open what is stored is no key to keep, and a backup does not name it', async () => {
  const { DATA, keyFile } = await aFolderWithoutKey();
  writeFileSync(keyFile, Buffer.alloc(32, 9).toString('base64'), { mode: 0o600 });
  const file = join(DATA, 'florin.backup');
  expect(await admin(DATA, 'backup', 'create', '--file', file)).toEqual({
    code: 1,
    out: expect.stringMatching(/secrets\.key is not the one of these records/),
  });
  expect(existsSync(file)).toBe(false);
  const { code, out } = await admin(DATA, 'doctor', '--json');
  const { findings } = JSON.parse(out) as { findings: { check: string; state: string }[] };
  expect([code, findings.filter(({ check }) => check === 'secrets key').map(({ state }) => state)]).toEqual([
    1,
    ['wrong'],
  ]);
});

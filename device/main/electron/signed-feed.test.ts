import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { AppImageUpdater } from 'electron-updater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signatureOf } from '../update-signature.ts';
import { signedFeed } from './signed-feed.ts';

const ours = keyPairOf(Buffer.alloc(32, 7));
const newVersion = Buffer.from('the new version');

function offering(program: Buffer): string {
  const sha512 = createHash('sha512').update(program).digest('base64');
  const file = `url: Florin-2.0.0.AppImage\n    sha512: ${sha512}\n    size: ${program.length}`;
  return `version: 2.0.0\nfiles:\n  - ${file}\npath: Florin-2.0.0.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-28T12:00:00.000Z'\n`;
}

/** The terminal's updater with Node's requests instead of Electron's, at a web server that has these files. */
async function anUpdater(files: Readonly<Record<string, string | Buffer>>) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const requested: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const name = basename(new URL(url, 'http://localhost').pathname);
    requested.push(name);
    const file = files[name];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  vi.stubEnv('APPIMAGE', join(folder, 'Florin-1.0.0.AppImage'));
  // Which package an AppImage looks for depends on the processor.
  vi.stubEnv('TEST_UPDATER_ARCH', 'x64');
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = join(folder, 'app-update.yml');
  writeFileSync(config, 'updaterCacheDirName: updates\n');
  const updater = new AppImageUpdater(null, {
    version: '1.0.0',
    name: 'Florin',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    relaunch() {},
    quit() {},
    onQuit() {},
  });
  class NodeExecutor extends ElectronHttpExecutor {
    override createRequest(...given: Parameters<ElectronHttpExecutor['createRequest']>) {
      return request(...given) as never;
    }
  }
  Object.assign(updater, { httpExecutor: new NodeExecutor(), logger: null, disableDifferentialDownload: true });
  updater.on('error', () => {});
  const { port } = server.address() as AddressInfo;
  updater.setFeedURL(signedFeed({ url: `http://127.0.0.1:${port}/terminal`, publicKey: ours.publicKey }));
  return {
    requested,
    async downloads() {
      const found = await updater.checkForUpdates();
      const [file = ''] = (await found?.downloadPromise) ?? [];
      return readFileSync(file, 'utf8');
    },
  };
}

const fileName = 'latest-linux.yml';
const content = offering(newVersion);
const program = { 'Florin-2.0.0.AppImage': newVersion };
const signature = signatureOf({ fileName, content }, ours);

test('an update is taken whose offer has the signature of the key that the program was built with', async () => {
  const { downloads } = await anUpdater({ [fileName]: content, [`${fileName}.sig`]: `${signature}\n`, ...program });
  expect(await downloads()).toBe(newVersion.toString());
});

test.each([
  ['without a signature', {}, 'could not be read'],
  ['by another key', { sig: signatureOf({ fileName, content }, keyPairOf(Buffer.alloc(32, 8))) }, 'is not by the key'],
  ['of another system', { sig: signatureOf({ fileName: 'latest.yml', content }, ours) }, 'is not by the key'],
  ['that was changed', { yml: `${content}stagingPercentage: 100\n`, sig: signature }, 'is not by the key'],
])('an offer %s is read no further', async (_, { yml = content, sig }: { yml?: string; sig?: string }, why) => {
  const files = { [fileName]: yml, ...(sig === undefined ? {} : { [`${fileName}.sig`]: sig }), ...program };
  const { downloads, requested } = await anUpdater(files);
  await expect(downloads()).rejects.toThrow(why);
  expect(requested).toEqual([fileName, `${fileName}.sig`]);
});

test('another program under the name of a signed one is not taken', async () => {
  const other = { 'Florin-2.0.0.AppImage': Buffer.from('the bad version') };
  const { downloads } = await anUpdater({ [fileName]: content, [`${fileName}.sig`]: signature, ...other });
  await expect(downloads()).rejects.toThrow('sha512 checksum mismatch');
});

test('the packager’s command makes a key for its owner alone, and signs what offers an update', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-sign-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const key = join(folder, 'updates.key');
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  const sign = (...args: string[]) =>
    execFileSync(process.execPath, [join(import.meta.dirname, '../../deploy/sign-updates.ts'), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const publicKey = /^FLORIN_UPDATES_PUBLIC_KEY=(\S+)\n$/.exec(sign('new-key', key))?.[1];
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(() => sign(key, packages)).toThrow('There is no latest');
  writeFileSync(join(packages, fileName), content);
  expect(sign(key, packages)).toContain(
    `Signed ${fileName}\nTerminals built with FLORIN_UPDATES_PUBLIC_KEY=${publicKey} `,
  );
  chmodSync(key, 0o644);
  expect(() => sign(key, packages)).toThrow('Other users of this machine can read');
  const seed = Buffer.from(readFileSync(key, 'utf8'), 'base64');
  expect(readFileSync(join(packages, `${fileName}.sig`), 'utf8').trim()).toBe(
    signatureOf({ fileName, content }, keyPairOf(seed)),
  );
});

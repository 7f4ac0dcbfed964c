/**
 * Signs what offers an update: `sign-updates.ts new-key FILE` makes the key, once, and `sign-updates.ts FILE FOLDER` signs each
 * `latest….yml` of the folder, again after every change of one.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyPair, keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { signatureOf } from '../main/update-signature.ts';

const usage = 'Usage: sign-updates.ts new-key FILE, or sign-updates.ts FILE FOLDER';

function run([first, second]: readonly string[]): string[] {
  if (first === undefined || second === undefined) throw new Error(usage);
  if (first !== 'new-key') return signFolder(keyOf(first), second);
  writeFileSync(second, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  return [`FLORIN_UPDATES_PUBLIC_KEY=${keyOf(second).publicKey}`];
}

function keyOf(file: string): KeyPair {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Error(
      `Other users of this machine can read ${file}: chmod 600 it, and make a new key if one of them may have`,
    );
  return keyPairOf(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'));
}

function signFolder(key: KeyPair, folder: string): string[] {
  const fileNames = readdirSync(folder).filter(name => /^latest.*\.yml$/.test(name));
  if (fileNames.length === 0) throw new Error(`There is no latest….yml in ${folder}`);
  for (const fileName of fileNames) {
    const content = readFileSync(join(folder, fileName), 'utf8');
    writeFileSync(join(folder, `${fileName}.sig`), `${signatureOf({ fileName, content }, key)}\n`);
  }
  return [
    ...fileNames.map(fileName => `Signed ${fileName}`),
    `Terminals built with FLORIN_UPDATES_PUBLIC_KEY=${key.publicKey} accept them`,
  ];
}

try {
  process.stdout.write(`${run(process.argv.slice(2)).join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

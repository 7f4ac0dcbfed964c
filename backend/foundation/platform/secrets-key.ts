import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';

const secretsKeyBytes = 32;

/** The key that encrypts stored secrets, from a file in this folder; undefined if there is none. */
export function secretsKeyIn(folder: string): Uint8Array | undefined {
  const file = join(folder, 'secrets.key');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== secretsKeyBytes) throw new Error(`${file} does not hold a key of ${secretsKeyBytes} bytes`);
  return key;
}

/**
 * The key of this folder, made if there is none: in a file that only its owner can read. Only for a database that has
 * nothing sealed yet, and for one machine: several machines need the SECRETS_KEY setting.
 */
export function newSecretsKeyIn(folder: string): Uint8Array {
  makeFolder(folder);
  const made = randomBytes(secretsKeyBytes);
  try {
    writeFileSync(join(folder, 'secrets.key'), `${made.toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    // Another process has created it; use that one.
    const key = hasCode(error, 'EEXIST') ? secretsKeyIn(folder) : undefined;
    if (key) return key;
    throw error;
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

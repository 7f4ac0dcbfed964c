import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';

const secretsKeyBytes = 32;

/**
 * The key that encrypts stored secrets, from a file in this folder that only its owner can read, created on first use.
 * For one machine: several machines need the SECRETS_KEY setting.
 */
export function secretsKeyIn(folder: string): Uint8Array {
  makeFolder(folder);
  const file = join(folder, 'secrets.key');
  try {
    writeFileSync(file, `${randomBytes(secretsKeyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process has created it; use that one.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== secretsKeyBytes) throw new Error(`${file} does not hold a key of ${secretsKeyBytes} bytes`);
  return key;
}

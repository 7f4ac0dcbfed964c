import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';

const secretsKeyBytes = 32;

/**
 * The key that stored secrets are encrypted under, from a file in this folder that only its owner can read, made on first use.
 * For one machine: several share a database only with the SECRETS_KEY setting.
 */
export function secretsKeyIn(folder: string): Uint8Array {
  makeFolder(folder);
  const file = join(folder, 'secrets.key');
  try {
    writeFileSync(file, `${randomBytes(secretsKeyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another start has made it: that one counts.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== secretsKeyBytes) throw new Error(`${file} does not hold a key of ${secretsKeyBytes} bytes`);
  return key;
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SecretBox } from '../../core/ports.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Secrets of the browser host, encrypted with a key in a file that only this user can read. This protects a copied
 * database, not against a process of the same user; the Electron host uses the system's key store instead.
 */
export function fileSecretBox(keyFile: string): SecretBox {
  const key = keptSecret({ file: keyFile, bytes: keyBytes });
  return {
    seal(plain) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
        return text.toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Random bytes in a file that only this user can read; created if missing. */
export function keptSecret({ file, bytes }: { file: string; bytes: number }): Buffer {
  if (!existsSync(file)) {
    // Written atomically: a key truncated by a power loss would make the terminal's secrets unreadable.
    writeFileSync(`${file}.new`, randomBytes(bytes), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  chmodSync(file, 0o600);
  const key = readFileSync(file);
  if (key.length !== bytes) throw new Error(`${file} does not hold a key of ${bytes} bytes`);
  return key;
}

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { BackupProblem } from './problem.ts';

/** README.md describes the format. Each of these numbers is a part of it. */
const magic = Buffer.from('florin-backup-encrypted-1\n');
const saltBytes = 16;
const chunkBytes = 65_536;
const tagBytes = 16;
const counterBytes = 11;
const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

/** Whether a file that begins so is encrypted. */
export function isEncrypted(beginning: Buffer): boolean {
  return beginning.subarray(0, magic.length).equals(magic);
}

/** Encrypts a stream under a passphrase, as a transform of `pipeline`. */
export function encrypted(passphrase: string) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(saltBytes);
    const header = Buffer.concat([magic, salt]);
    const seal = sealing(await keyOf(passphrase, salt), header);
    yield header;
    let held: Buffer = Buffer.alloc(0);
    for await (const part of source) {
      held = Buffer.concat([held, part]);
      // The last chunk is only known at the end, so one is always held back.
      for (; held.length > chunkBytes; held = held.subarray(chunkBytes))
        yield seal(held.subarray(0, chunkBytes), false);
    }
    yield seal(held, true);
  };
}

/**
 * Decrypts such a stream, as a transform of `pipeline`. Nothing is passed on that was not authenticated.
 * @throws BackupProblem if the passphrase is wrong, or the file was changed or cut off
 */
export function decrypted(passphrase: string) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const headerBytes = magic.length + saltBytes;
    const sealedBytes = chunkBytes + tagBytes;
    let open: ReturnType<typeof opening> | undefined;
    let held: Buffer = Buffer.alloc(0);
    for await (const part of source) {
      held = Buffer.concat([held, part]);
      if (!open) {
        if (held.length < headerBytes) continue;
        const header = held.subarray(0, headerBytes);
        open = opening(await keyOf(passphrase, header.subarray(magic.length)), header);
        held = held.subarray(headerBytes);
      }
      for (; held.length > sealedBytes; held = held.subarray(sealedBytes))
        yield open(held.subarray(0, sealedBytes), false);
    }
    if (!open) throw new BackupProblem('The backup is cut off');
    yield open(held, true);
  };
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** The nonce of each chunk: its number, and whether it is the last one, so that none can be moved or left out. */
function nonces(): (isLast: boolean) => Buffer {
  let count = 0;
  return isLast => {
    const nonce = Buffer.alloc(counterBytes + 1);
    nonce.writeUIntBE(count, counterBytes - 6, 6);
    nonce[counterBytes] = isLast ? 1 : 0;
    count += 1;
    return nonce;
  };
}

function sealing(key: Buffer, header: Buffer) {
  const nextNonce = nonces();
  return (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nextNonce(isLast)).setAAD(header);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
}

function opening(key: Buffer, header: Buffer) {
  const nextNonce = nonces();
  return (sealed: Buffer, isLast: boolean): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, nextNonce(isLast)).setAAD(header);
    try {
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new BackupProblem('The passphrase is wrong, or the backup was changed or cut off', { cause: error });
    }
  };
}

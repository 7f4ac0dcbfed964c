import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Random } from '@florin/shared/ports.ts';

/** Encrypts values that must be stored and used again, such as a gateway's signature key. */
export type SecretBox = {
  /** `owner` names the record the secret belongs to; it cannot be decrypted for another. */
  seal(secret: string, owner: string): string;
  /** @throws SecretsKeyMismatch if it was sealed under another key or for another owner, or was altered */
  open(sealed: string, owner: string): string;
};

/** Has a code, so that a program that cannot start reports it in one line. */
class SecretsKeyMismatch extends Error {
  readonly code = 'SECRETS_KEY_MISMATCH';
}

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key derived for this purpose. The sealed text names its key by a hash, to distinguish a wrong key
 * from an altered secret.
 */
export function secretBox(options: {
  readonly secretsKey: () => Uint8Array;
  readonly random: Random;
  /** The kind of secret; each kind has its own key. */
  readonly purpose:
    | 'gateway account'
    | 'webhook'
    | 'bitcoin backend'
    | 'checkout signing key'
    | 'portal user'
    | 'receipt key';
}): SecretBox {
  let loaded: { readonly key: Uint8Array; readonly id: string } | undefined;
  function key() {
    if (!loaded) {
      const derived = Buffer.from(
        hkdfSync('sha256', options.secretsKey(), '', `florin ${options.purpose} secrets`, 32),
      );
      loaded = { key: derived, id: createHash('sha256').update(derived).digest('hex').slice(0, 8) };
    }
    return loaded;
  }

  return {
    seal(secret, owner) {
      const { key: bytes, id } = key();
      const nonce = options.random.bytes(nonceBytes);
      const cipher = createCipheriv(cipherName, bytes, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${id}.${sealed.toString('base64url')}`;
    },

    open(sealed, owner) {
      const { key: bytes, id } = key();
      const [version, keyId, text = ''] = sealed.split('.');
      if (version !== 'v1' || keyId !== id)
        throw new SecretsKeyMismatch(
          `The secrets of ${owner} were encrypted under another key: set SECRETS_KEY to the key of the installation that encrypted them`,
        );
      try {
        const all = Buffer.from(text, 'base64url');
        const decipher = createDecipheriv(cipherName, bytes, all.subarray(0, nonceBytes))
          .setAAD(Buffer.from(owner))
          .setAuthTag(all.subarray(-tagBytes));
        const secret = decipher.update(all.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([secret, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SecretsKeyMismatch(`The secrets of ${owner} were altered`, { cause: error });
      }
    },
  };
}

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Random } from '@florin/shared/ports.ts';
import { SecretsKeyMismatch, type SecretsKeys, type SecretUse } from './keys.ts';

/** Encrypts values that must be stored and used again, such as a gateway's signature key. */
export type SecretBox = {
  /** `owner` names the record the secret belongs to; it cannot be decrypted for another. */
  seal(secret: string, owner: string): string;
  /** @throws SecretsKeyMismatch if it was sealed under another key or for another owner, or was altered */
  open(sealed: string, owner: string): string;
};

/** As the rotation of keys needs it. */
export type RotatedBox = SecretBox & {
  /** @throws SecretsKeyMismatch as `open` */
  keyOf(sealed: string, owner: string): SecretUse;
};

/** The kinds of secret; each has its own key. */
export type SecretPurpose =
  | 'gateway account'
  | 'webhook'
  | 'bitcoin backend'
  | 'checkout signing key'
  | 'portal user'
  | 'receipt key'
  | 'permanent key';

type DerivedKey = { readonly use: SecretUse; readonly bytes: Buffer; readonly id: string };

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key derived for this purpose. The sealed text names its key by a hash, to find the right one and to
 * distinguish a wrong key from an altered secret.
 */
export function secretBox(options: {
  readonly secretsKeys: () => SecretsKeys;
  readonly random: Random;
  readonly purpose: SecretPurpose;
}): RotatedBox {
  let loaded: { readonly current: DerivedKey; readonly all: readonly DerivedKey[] } | undefined;
  function derived(use: SecretUse, key: Uint8Array): DerivedKey {
    const bytes = Buffer.from(hkdfSync('sha256', key, '', `florin ${options.purpose} secrets`, 32));
    return { use, bytes, id: createHash('sha256').update(bytes).digest('hex').slice(0, 8) };
  }
  function keys() {
    if (!loaded) {
      const { current: key, accepted } = options.secretsKeys();
      const current = derived('current', key);
      loaded = { current, all: accepted ? [current, derived('accepted', accepted)] : [current] };
    }
    return loaded;
  }

  function opened(sealed: string, owner: string) {
    const [version, keyId, text = ''] = sealed.split('.');
    const key = version === 'v1' ? keys().all.find(({ id }) => id === keyId) : undefined;
    if (!key)
      throw new SecretsKeyMismatch(
        'other_key',
        `The secrets of ${owner} were encrypted under another key: set SECRETS_KEY to the key of the installation that encrypted them`,
      );
    try {
      const all = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(cipherName, key.bytes, all.subarray(0, nonceBytes))
        .setAAD(Buffer.from(owner))
        .setAuthTag(all.subarray(-tagBytes));
      const secret = decipher.update(all.subarray(nonceBytes, -tagBytes));
      return { secret: Buffer.concat([secret, decipher.final()]).toString('utf8'), use: key.use };
    } catch (error) {
      throw new SecretsKeyMismatch('altered', `The secrets of ${owner} were altered`, { cause: error });
    }
  }

  return {
    seal(secret, owner) {
      const { bytes, id } = keys().current;
      const nonce = options.random.bytes(nonceBytes);
      const cipher = createCipheriv(cipherName, bytes, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${id}.${sealed.toString('base64url')}`;
    },
    open: (sealed, owner) => opened(sealed, owner).secret,
    keyOf: (sealed, owner) => opened(sealed, owner).use,
  };
}

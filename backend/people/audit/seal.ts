import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The head of a business's chain. */
export type ChainHead = { readonly businessId: string; readonly sequence: number; readonly hash: string };

export type SealState =
  | 'valid'
  /** Sealed with a key other than this process's. */
  | 'other_key'
  /** The head is not the one that was sealed. */
  | 'invalid'
  /** A process found an invalid head before an earlier append; kept until an operator reseals it. */
  | 'broken';

/**
 * Seals a chain's head with a key that the database does not hold, so that access to the database alone cannot move it.
 */
export type HeadSeal = {
  seal(head: ChainHead): string;
  check(head: ChainHead & { readonly seal: string }): SealState;
};

/** The seal after a tampered head was found. Only an operator can replace it, which the log records. */
export const brokenSeal = 'broken';

/**
 * HMAC-SHA256 with a key derived for this purpose. The seal names its key, to distinguish a wrong key from a changed
 * head.
 */
export function headSeal(secretsKey: () => Uint8Array): HeadSeal {
  let loaded: { readonly key: KeyObject; readonly keyId: string } | undefined;
  function key() {
    if (!loaded) {
      const derived = Buffer.from(hkdfSync('sha256', secretsKey(), '', 'florin audit head', 32));
      // As a key object: an HMAC with bytes takes four times as long.
      loaded = { key: createSecretKey(derived), keyId: hash('sha256', derived).slice(0, 8) };
    }
    return loaded;
  }
  function seal({ businessId, sequence, hash: last }: ChainHead): string {
    const { key: secret, keyId } = key();
    const text = JSON.stringify(['florin-audit-head-v1', businessId, sequence, last]);
    return `v1.${keyId}.${createHmac('sha256', secret).update(text).digest('hex')}`;
  }
  return {
    seal,
    check(head) {
      if (head.seal === brokenSeal) return 'broken';
      const expected = Buffer.from(seal(head));
      const given = Buffer.from(head.seal);
      if (given.length === expected.length && timingSafeEqual(given, expected)) return 'valid';
      return head.seal.split('.')[1] === key().keyId ? 'invalid' : 'other_key';
    },
  };
}

import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Where the chain of a business ends. */
export type ChainHead = { readonly businessId: string; readonly sequence: number; readonly hash: string };

export type SealState =
  | 'valid'
  /** Written under another key than this process has. */
  | 'other_key'
  /** The head is not the one that was sealed. */
  | 'invalid'
  /** A process found an invalid head before it wrote the next entry, and kept saying so. */
  | 'broken';

/** Seals the head of a chain with a key the database does not hold: who only has the database cannot move it. */
export type HeadSeal = {
  seal(head: ChainHead): string;
  check(head: ChainHead & { readonly seal: string }): SealState;
};

/** What stands in place of a seal once a head was found to be changed. Only an operator ends it, and the log says so. */
export const brokenSeal = 'broken';

/**
 * HMAC-SHA256 with a key derived for this purpose. The text names its key, so that a wrong key is distinguished from a
 * changed head.
 */
export function headSeal(secretsKey: () => Uint8Array): HeadSeal {
  let loaded: { readonly key: Buffer; readonly keyId: string } | undefined;
  function key() {
    if (!loaded) {
      const derived = Buffer.from(hkdfSync('sha256', secretsKey(), '', 'florin audit head', 32));
      loaded = { key: derived, keyId: createHash('sha256').update(derived).digest('hex').slice(0, 8) };
    }
    return loaded;
  }
  function seal({ businessId, sequence, hash }: ChainHead): string {
    const { key: bytes, keyId } = key();
    const text = JSON.stringify(['florin-audit-head-v1', businessId, sequence, hash]);
    return `v1.${keyId}.${createHmac('sha256', bytes).update(text).digest('hex')}`;
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

import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { SecretsKeyMismatch, type SecretsKeys, type SecretUse } from '../../foundation/secrets/keys.ts';
import type { SealedColumnOf } from '../../foundation/secrets/sealed-column.ts';
import type { AuditChainRow } from './rows.ts';

/** The head of a business's chain. */
export type ChainHead = { readonly businessId: string; readonly sequence: number; readonly hash: string };

export type SealState =
  | 'valid'
  /** Sealed with a key that this process does not have. */
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
  check(head: SealedHead): SealState;
  /** Which key made a valid seal. @throws SecretsKeyMismatch for any other */
  keyOf(head: SealedHead): SecretUse;
};

type SealedHead = ChainHead & { readonly seal: string };
type LoadedKey = { readonly use: SecretUse; readonly key: KeyObject; readonly id: string };

/** The seal after a tampered head was found. Only an operator can replace it, which the log records. */
export const brokenSeal = 'broken';

/**
 * HMAC-SHA256 with a key derived for this purpose. The seal names its key, to find the right one and to distinguish a
 * wrong key from a changed head.
 */
export function headSeal(secretsKeys: () => SecretsKeys): HeadSeal {
  let loaded: { readonly current: LoadedKey; readonly all: readonly LoadedKey[] } | undefined;
  function keys() {
    if (!loaded) {
      const { current: key, accepted } = secretsKeys();
      const current = loadedKey('current', key);
      loaded = { current, all: accepted ? [current, loadedKey('accepted', accepted)] : [current] };
    }
    return loaded;
  }
  function found(head: SealedHead): { readonly state: SealState; readonly use?: SecretUse } {
    if (head.seal === brokenSeal) return { state: 'broken' };
    const key = keys().all.find(({ id }) => id === head.seal.split('.')[1]);
    if (!key) return { state: 'other_key' };
    const expected = Buffer.from(sealOf(head, key));
    const given = Buffer.from(head.seal);
    const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
    return isEqual ? { state: 'valid', use: key.use } : { state: 'invalid' };
  }
  return {
    seal: head => sealOf(head, keys().current),
    check: head => found(head).state,
    keyOf(head) {
      const { state, use } = found(head);
      if (use) return use;
      const isOtherKey = state === 'other_key';
      throw new SecretsKeyMismatch(
        isOtherKey ? 'other_key' : 'altered',
        `The head of the audit log of ${head.businessId} was ${isOtherKey ? 'sealed under another key' : 'changed'}`,
      );
    },
  };
}

function loadedKey(use: SecretUse, secretsKey: Uint8Array): LoadedKey {
  const derived = Buffer.from(hkdfSync('sha256', secretsKey, '', 'florin audit head', 32));
  // As a key object: an HMAC with bytes takes four times as long.
  return { use, key: createSecretKey(derived), id: hash('sha256', derived).slice(0, 8) };
}

function sealOf({ businessId, sequence, hash: last }: ChainHead, { key, id }: LoadedKey): string {
  const text = JSON.stringify(['florin-audit-head-v1', businessId, sequence, last]);
  return `v1.${id}.${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** The seals as the rotation of keys sees them: only a valid one is made anew, so that nothing is hidden by it. */
export function sealedHeads(seal: HeadSeal): SealedColumnOf<'auditChains'> {
  return {
    table: 'auditChains',
    owner: 'businessId',
    column: 'seal',
    unsealed: brokenSeal,
    keyOf: (_, row) => seal.keyOf(row as AuditChainRow),
    reseal: (_, row) => seal.seal(row as AuditChainRow),
  };
}

import type { Random } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import { SecretsKeyMismatch, type SecretsKeys } from './keys.ts';
import type { PermanentKeyRow } from './rows.ts';
import { type SecretBox, secretBox } from './secret-box.ts';
import { insertPermanentKey, permanentKey } from './store.ts';

/**
 * The key of what must not change with SECRETS_KEY: the addresses of receipts, which are on paper. It is the SECRETS_KEY
 * of the first start, stored sealed from then on. Nothing that protects money may follow from it: it is the key that
 * somebody may have seen.
 */
export type PermanentKey = () => Uint8Array;

const id = 'first';

/** The stored key, opened at its first use; before the first start the secrets key, which will be stored. */
export async function permanentKeyIn(options: {
  readonly database: Database;
  readonly secretsKeys: () => SecretsKeys;
  readonly random: Random;
}): Promise<PermanentKey> {
  const { database, secretsKeys } = options;
  const row = await database.first(permanentKey, {});
  const box = secretBox({ ...options, purpose: 'permanent key' });
  let key: Uint8Array | undefined;
  return () => {
    key ??= row ? opened(box, row) : secretsKeys().current;
    return key;
  };
}

/**
 * Stores the key at the first start. A start with two keys must not be the first: which of them the records were made
 * with would not be known.
 * @throws SecretsKeyMismatch if it is the first
 */
export async function keepPermanentKey({ database, box, secretsKeys }: KeptKeyOptions): Promise<void> {
  if (await database.first(permanentKey, {})) return;
  const { current, accepted } = secretsKeys();
  if (accepted)
    throw new SecretsKeyMismatch(
      'other_key',
      'The first start of this version needs the key of these records alone: set SECRETS_KEY to it, and leave SECRETS_KEY_ACCEPTED out',
    );
  const sealedKey = box.seal(Buffer.from(current).toString('base64'), id);
  await database.write(tx => tx.run(insertPermanentKey, { id, sealedKey }));
}

/** @throws SecretsKeyMismatch if the stored key was sealed under a key that this process does not have */
export async function openPermanentKey({ database, box }: Pick<KeptKeyOptions, 'database' | 'box'>): Promise<void> {
  const row = await database.first(permanentKey, {});
  if (row) opened(box, row);
}

/** Whether these keys are the ones that the stored key was sealed under; an altered value does not speak against them. */
export function isPermanentKeyOf(
  row: PermanentKeyRow,
  ports: { readonly secretsKeys: () => SecretsKeys; readonly random: Random },
): boolean {
  try {
    opened(secretBox({ ...ports, purpose: 'permanent key' }), row);
    return true;
  } catch (error) {
    if (error instanceof SecretsKeyMismatch) return error.reason === 'altered';
    throw error;
  }
}

type KeptKeyOptions = {
  readonly database: Database;
  readonly box: SecretBox;
  readonly secretsKeys: () => SecretsKeys;
};

function opened(box: SecretBox, row: PermanentKeyRow): Buffer {
  return Buffer.from(box.open(row.sealedKey, row.id), 'base64');
}

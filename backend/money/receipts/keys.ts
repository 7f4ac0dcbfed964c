import type { Actor } from '@florin/shared/actor.ts';
import { type Clock, type Ids, idPrefixes, type Random } from '@florin/shared/ports.ts';
import { keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { ReceiptKeyRow } from './rows.ts';
import { currentReceiptKey, insertReceiptKey, receiptKeysOf, retireReceiptKey } from './store.ts';

/** A key in use, able to sign. */
export type SigningKey = { readonly id: string; sign(text: string): string };

export type ReceiptKeys = {
  /** The business's current key, created at its first use. */
  current(businessId: string): Promise<SigningKey>;
  /** All keys it ever had, oldest first. */
  all(businessId: string): Promise<ReceiptKeyRow[]>;
  /** Replaces the current key. What earlier ones signed can still be verified. */
  rotate(businessId: string, by: Actor): Promise<ReceiptKeyRow>;
};

const seedBytes = 32;

/** The Ed25519 keys with which businesses sign their receipts. */
export function receiptKeys(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly box: SecretBox;
  readonly changes: ChangeLog;
}): ReceiptKeys {
  const { database, clock, ids, random, box, changes } = options;

  function newKey(businessId: string): ReceiptKeyRow {
    const id = ids.next(idPrefixes.receiptKey);
    const seed = Buffer.from(random.bytes(seedBytes));
    const { publicKey } = keyPairOf(seed);
    const sealedSeed = box.seal(seed.toString('base64'), id);
    return { id, businessId, publicKey, sealedSeed, createdAt: clock.now(), retiredAt: null };
  }

  async function create(businessId: string): Promise<ReceiptKeyRow> {
    const row = newKey(businessId);
    return database.write(async tx => {
      await tx.run(insertReceiptKey, row);
      // Another process may have been first.
      const current = await tx.first(currentReceiptKey, { businessId });
      if (!current) throw new Error(`business ${businessId} has no receipt key`);
      return current;
    });
  }

  return {
    async current(businessId) {
      const { id, sealedSeed } =
        (await database.first(currentReceiptKey, { businessId })) ?? (await create(businessId));
      const { privateKey } = keyPairOf(Buffer.from(box.open(sealedSeed, id), 'base64'));
      return { id, sign: text => signText(privateKey, text) };
    },

    all: businessId => database.all(receiptKeysOf, { businessId }),

    async rotate(businessId, by) {
      const row = newKey(businessId);
      await database.write(async tx => {
        await tx.run(retireReceiptKey, { businessId, retiredAt: row.createdAt });
        await tx.run(insertReceiptKey, row);
        const detail = { setting: 'receiptKey', value: row.id };
        await changes.append(tx, { businessId, kind: 'setting_changed', by, detail });
      });
      return row;
    },
  };
}

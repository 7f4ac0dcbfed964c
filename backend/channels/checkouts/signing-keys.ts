import type { Actor } from '@florin/shared/actor.ts';
import type { Clock, Random } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { CheckoutSettingsRow } from './rows.ts';
import {
  checkoutSettingsForUpdate,
  checkoutSettingsOf,
  insertCheckoutSettings,
  updateCheckoutSettings,
} from './store.ts';

export type CheckoutSettings = {
  /** Shown to the merchant; signs redirects and posts to a checkout's own webhookUrl. */
  readonly signingKey: string;
  readonly frameOrigins: readonly string[];
};

/** A business's checkout settings. The key is created at first use. */
export type CheckoutSettingsOf = {
  of(businessId: string): Promise<CheckoutSettings>;
  /** Within the transaction that needs the key. */
  in(tx: Transaction, businessId: string): Promise<CheckoutSettings>;
  change(
    businessId: string,
    to: { readonly frameOrigins?: readonly string[] | undefined; readonly rotateSigningKey?: boolean | undefined },
    by: Actor,
  ): Promise<CheckoutSettings>;
};

const keyBytes = 32;

/** Reads and changes checkout settings; the signing key is stored encrypted, and a rotation replaces it at once. */
export function checkoutSettings(options: {
  database: Database;
  clock: Clock;
  random: Random;
  secrets: Sealing;
  changes: ChangeLog;
}): CheckoutSettingsOf {
  const { database, clock, random, changes } = options;
  const box = options.secrets.box({
    purpose: 'checkout signing key',
    table: 'checkoutSettings',
    owner: 'businessId',
    columns: ['sealedSigningKey'],
  });
  const newKey = () => `chks_${Buffer.from(random.bytes(keyBytes)).toString('base64url')}`;
  const opened = ({ businessId, sealedSigningKey, frameOriginsJson }: CheckoutSettingsRow): CheckoutSettings => ({
    signingKey: box.open(sealedSigningKey, businessId),
    frameOrigins: JSON.parse(frameOriginsJson) as string[],
  });

  async function rowIn(tx: Transaction, businessId: string): Promise<CheckoutSettingsRow> {
    const known = await tx.first(checkoutSettingsOf, { businessId });
    if (known) return known;
    const sealedSigningKey = box.seal(newKey(), businessId);
    await tx.run(insertCheckoutSettings, {
      businessId,
      sealedSigningKey,
      frameOriginsJson: '[]',
      updatedAt: clock.now(),
    });
    const made = await tx.first(checkoutSettingsOf, { businessId });
    if (!made) throw new Error(`business ${businessId} has no checkout settings`);
    return made;
  }

  return {
    async of(businessId) {
      const known = await database.first(checkoutSettingsOf, { businessId });
      return opened(known ?? (await database.write(tx => rowIn(tx, businessId))));
    },

    in: async (tx, businessId) => opened(await rowIn(tx, businessId)),

    change: (businessId, { frameOrigins, rotateSigningKey }, by) =>
      database.write(async tx => {
        await rowIn(tx, businessId);
        const before = await tx.first(checkoutSettingsForUpdate, { businessId });
        if (!before) throw new Error(`business ${businessId} has no checkout settings`);
        const row: CheckoutSettingsRow = {
          ...before,
          ...(rotateSigningKey ? { sealedSigningKey: box.seal(newKey(), businessId) } : {}),
          ...(frameOrigins ? { frameOriginsJson: JSON.stringify(frameOrigins) } : {}),
          updatedAt: clock.now(),
        };
        await tx.run(updateCheckoutSettings, row);
        const setting = 'checkouts';
        const value = { frameOrigins, signingKeyRotated: rotateSigningKey === true };
        await changes.append(tx, { businessId, kind: 'setting_changed', by, detail: { setting, value } });
        return opened(row);
      }),
  };
}

import { type Database, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { SecretBox } from '../../foundation/secrets/secret-box.ts';
import type { GatewayAccountRow } from './rows.ts';
import { accountsOfBusiness, allAccounts, replaceSettings } from './store.ts';

/** The settings and secrets of an account. */
export type AccountSettings = {
  readonly adapter: string;
  readonly name: string;
  readonly merchantId: string;
  readonly config: unknown;
  readonly secrets: unknown;
};

type Insert = (
  tx: Transaction,
  account: AccountSettings & { readonly businessId: string; readonly isDefault: boolean },
  origin: GatewayAccountRow['origin'],
) => Promise<GatewayAccountRow>;

/**
 * The account of the GATEWAY_* settings, for businesses without one of their own. It follows the settings: a changed
 * name, secret or address replaces the stored one, another merchant id creates another account.
 */
export function settingsAccounts(options: {
  readonly database: Database;
  readonly box: SecretBox;
  readonly fallback: AccountSettings;
  readonly insert: Insert;
  readonly businesses: { list(): Promise<readonly { readonly id: string }[]> };
}) {
  const { database, box, fallback, insert, businesses } = options;

  function differs(row: GatewayAccountRow): boolean {
    return (
      row.name !== fallback.name ||
      row.configJson !== JSON.stringify(fallback.config) ||
      box.open(row.sealedSecrets, row.id) !== JSON.stringify(fallback.secrets)
    );
  }

  /** The id of the default account, if the settings provide it. */
  function provide(businessId: string): Promise<string | undefined> {
    return readingAgain(() =>
      database.write(async tx => {
        const accounts = await tx.all(accountsOfBusiness, { businessId });
        if (accounts.length === 0)
          return (await insert(tx, { ...fallback, businessId, isDefault: true }, 'settings')).id;
        return accounts.find(({ isDefault }) => isDefault === 1)?.id;
      }),
    );
  }

  async function follow(businessId: string): Promise<void> {
    await readingAgain(() =>
      database.write(async tx => {
        const accounts = await tx.all(accountsOfBusiness, { businessId });
        const current = accounts.findLast(({ origin, disabledAt }) => origin === 'settings' && disabledAt === null);
        if (!current) return;
        const { id, isDefault, adapter, merchantId } = current;
        if (adapter !== fallback.adapter || merchantId !== fallback.merchantId) {
          await insert(tx, { ...fallback, businessId, isDefault: isDefault === 1 }, 'settings');
        } else if (differs(current)) {
          const sealedSecrets = box.seal(JSON.stringify(fallback.secrets), id);
          const { name, config } = fallback;
          await tx.run(replaceSettings, { id, name, configJson: JSON.stringify(config), sealedSecrets });
        }
      }),
    );
  }

  return {
    provide,
    /** @throws SecretsKeyMismatch if this process cannot decrypt what another process stored */
    async prepare(): Promise<void> {
      for (const { sealedSecrets, id } of await database.all(allAccounts, {})) box.open(sealedSecrets, id);
      const all = await businesses.list();
      await Promise.all(
        all.map(async ({ id }) => {
          await provide(id);
          await follow(id);
        }),
      );
    },
  };
}

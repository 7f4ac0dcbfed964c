import { systemRandom } from '@florin/backend/foundation/platform/system.ts';
import { secretBox } from '@florin/backend/foundation/secrets/secret-box.ts';
import type { GatewayAccountRow } from '@florin/backend/gateways/accounts/rows.ts';

/** The secrets key of every process that a test starts, so that none of them writes a key file. */
export const testSecretsKey = Buffer.alloc(32, 1);
/** The same key as a setting. */
export const secretsKeySetting = testSecretsKey.toString('base64');

const box = secretBox({
  secretsKeys: () => ({ current: testSecretsKey }),
  random: systemRandom,
  purpose: 'gateway account',
});

/** The default account of a business, at a gateway without settings. */
export function aGatewayAccount(
  account: Pick<GatewayAccountRow, 'id' | 'businessId' | 'adapter' | 'createdAt'>,
): GatewayAccountRow {
  return {
    ...account,
    name: 'Test',
    merchantId: '100001',
    configJson: '{}',
    sealedSecrets: box.seal('{}', account.id),
    isDefault: 1,
    origin: 'operator',
    disabledAt: null,
  };
}

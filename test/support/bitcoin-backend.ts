import type { BitcoinBackendRow } from '@florin/backend/bitcoin/backends/rows.ts';
import { systemRandom } from '@florin/backend/foundation/platform/system.ts';
import { secretBox } from '@florin/backend/foundation/secrets/secret-box.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { testSecretsKey } from './gateway-account.ts';

const box = secretBox({
  secretsKeys: () => ({ current: testSecretsKey }),
  random: systemRandom,
  purpose: 'bitcoin backend',
});

/** The bitcoin node of a business that needs no settings. */
export function aBitcoinBackend(businessId: string, createdAt: Instant): BitcoinBackendRow {
  const id = 'node_model0';
  return {
    id,
    businessId,
    adapter: 'model',
    configJson: '{}',
    sealedSecrets: box.seal('{}', id),
    publicKey: 'model',
    network: 'regtest',
    isCurrent: 1,
    createdAt,
    changedAt: createdAt,
  };
}

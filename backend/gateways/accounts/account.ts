import type { GatewayAccountRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import type { GatewayCapabilities } from '../gateway.ts';
import type { GatewayAccountRow } from './rows.ts';

/** An account as the API shows it, without settings and secrets. */
export function gatewayAccountRecord(row: GatewayAccountRow, capabilities: GatewayCapabilities): GatewayAccountRecord {
  const { id, name, adapter, merchantId, isDefault, createdAt, disabledAt } = row;
  return {
    id,
    name,
    adapter,
    merchantId,
    isDefault: isDefault === 1,
    capabilities,
    createdAt: new Date(createdAt).toISOString(),
    disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  };
}

import type { GatewayAccountRecord, GatewayTestRecord } from '@florin/shared/contracts/api-v1/gateway-accounts.ts';
import type { ConnectionTest, GatewayCapabilities } from '../gateway.ts';
import type { GatewayAccountRow } from './rows.ts';

/** An account as the API shows it, without settings and secrets. */
export function gatewayAccountRecord(row: GatewayAccountRow, capabilities: GatewayCapabilities): GatewayAccountRecord {
  const { id, name, adapter, merchantId, isDefault, createdAt, origin, disabledAt } = row;
  return {
    id,
    name,
    adapter,
    merchantId,
    isDefault: isDefault === 1,
    capabilities,
    createdAt: new Date(createdAt).toISOString(),
    isOwn: origin === 'business',
    disabledAt: disabledAt === null ? null : new Date(disabledAt).toISOString(),
  };
}

/** The result of testing one interface as the API shows it, in words. */
export function gatewayTestRecord(test: ConnectionTest): GatewayTestRecord {
  const { name } = test;
  const what = interfaces[name] ?? name;
  if (test.ok) return { name, ok: true, cause: null, message: `${what} answers as it should` };
  const { cause } = test;
  return { name, ok: false, cause, message: `${what} does not answer as it should: ${causes[cause] ?? cause}` };
}

const interfaces: Readonly<Record<string, string>> = {
  payments: 'The interface for payments and refunds',
  reporting: 'The interface for lookups',
  cardPresent: 'The interface for terminals',
};

const causes: Readonly<Record<string, string>> = {
  timeout: 'it did not answer in time',
  connection_lost: 'the connection was lost',
  connection_refused: 'the connection was refused',
  name_not_found: 'its name is not known',
  no_route: 'there is no route to it',
  gateway_error: 'it refused the request or failed',
  bad_signature: 'the merchant ID and the secret do not belong together',
  merchant_differs: 'it answered for another merchant ID',
  malformed: 'it answered in an unknown way',
  account_unusable: 'the settings of the account cannot be used',
  'status 401': 'it refused the user or the password',
  'status 403': 'it refused the user or the password',
};

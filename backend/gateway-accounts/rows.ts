import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type GatewayAccountRow = {
  id: string;
  businessId: string;
  /** Name of its adapter in the registry. */
  adapter: string;
  name: string;
  merchantId: string;
  /** The adapter's settings that are no secret. */
  configJson: string;
  /** The adapter's secrets as one JSON text, encrypted: see secret-box.ts. */
  sealedSecrets: string;
  /** New payments of the business go to its default account; it has at most one. */
  isDefault: Flag;
  /** `settings`: made from the GATEWAY_* settings, and kept like them at every start. */
  origin: 'operator' | 'settings';
  createdAt: Instant;
  /** No new payments from then on; what it took can still be refunded, voided and asked about. */
  disabledAt: Instant | null;
};

import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type GatewayAccountRow = {
  id: string;
  businessId: string;
  /** The adapter's name in the registry. */
  adapter: string;
  name: string;
  merchantId: string;
  /** The adapter's settings that are not secret. */
  configJson: string;
  /** The adapter's secrets as one JSON text, encrypted: see foundation/secrets/. */
  sealedSecrets: string;
  /** New payments of the business use its default account; it has at most one. */
  isDefault: Flag;
  /**
   * `settings`: created from the GATEWAY_* settings and updated from them at every start. `business`: added by the
   * business itself; `configJson` is what it gave, and has no addresses.
   */
  origin: 'operator' | 'settings' | 'business';
  createdAt: Instant;
  /** It accepts no new payments; its own can still be refunded, voided and looked up. */
  disabledAt: Instant | null;
};

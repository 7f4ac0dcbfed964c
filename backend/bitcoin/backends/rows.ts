import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';
import type { BitcoinNetwork } from '../nodes/node.ts';

export type BitcoinBackendRow = {
  id: string;
  businessId: string;
  /** The adapter's name in the registry. */
  adapter: string;
  /** The adapter's settings that are not secret. */
  configJson: string;
  /** The adapter's secrets as one JSON text, encrypted. */
  sealedSecrets: string;
  /** The node's public key, which identifies it. */
  publicKey: string | null;
  network: BitcoinNetwork;
  /** New invoices of the business use this backend; a business has at most one. */
  isCurrent: Flag;
  createdAt: Instant;
  changedAt: Instant;
};

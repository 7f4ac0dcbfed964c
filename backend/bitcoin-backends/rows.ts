import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';
import type { BitcoinNetwork } from '../nodes/node.ts';

export type BitcoinBackendRow = {
  id: string;
  businessId: string;
  /** Name of its adapter in the registry. */
  adapter: string;
  /** The adapter's settings that are no secret. */
  configJson: string;
  /** The adapter's secrets as one JSON text, encrypted. */
  sealedSecrets: string;
  /** What tells this node from others: its public key. */
  publicKey: string | null;
  network: BitcoinNetwork;
  /** New invoices of the business are made here; it has at most one such. */
  isCurrent: Flag;
  createdAt: Instant;
  changedAt: Instant;
};

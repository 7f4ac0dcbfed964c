import type { ActorColumns } from '@florin/shared/actor.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type AuditKind =
  | 'refund_check'
  | 'void_check'
  | 'staff_changed'
  | 'api_key_changed'
  | 'kiosk_key_changed'
  | 'terminal_changed'
  | 'setting_changed'
  | 'gateway_account_changed'
  | 'webhook_changed'
  | 'refund_resolved'
  | 'payment_resolved'
  | 'payment_recorded'
  | 'discrepancy_resolved'
  | 'bitcoin_claim_returned'
  | 'withdrawal_requested'
  | 'withdrawal_resolved';

/** An entry of a business's hash chain. `hash` covers the other columns in the canonical form of audit/chain.ts. */
export type AuditEntryRow = Omit<ActorColumns, 'terminalId'> & {
  id: string;
  businessId: string;
  sequence: number;
  kind: AuditKind;
  status: string | null;
  reason: string | null;
  staffId: string | null;
  terminalId: string | null;
  paymentId: string | null;
  /** The refund that an authorisation allowed. */
  refundId: string | null;
  amountMinor: number | null;
  /** The entry's full detail: names at that time, the sale, the change. */
  detailJson: string;
  attemptedAt: Instant;
  recordedAt: Instant;
  previousHash: string;
  hash: string;
};

/** The head of a business's chain; `seal` uses a key that the database does not hold, see audit/seal.ts. */
export type AuditChainRow = { businessId: string; sequence: number; hash: string; seal: string };

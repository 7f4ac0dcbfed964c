import type { ActorColumns } from '@florin/shared/actor.ts';
import type { auditKinds } from '@florin/shared/contracts/api-v1/audit.ts';
import type { Instant } from '@florin/shared/ports.ts';

export type AuditKind = (typeof auditKinds)[number];

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

/** A record that an entry is about, by which the log is searched. It is derived from the entry, which alone is hashed. */
export type AuditSubjectRow = { businessId: string; subjectId: string; sequence: number };

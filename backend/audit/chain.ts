import { createHash } from 'node:crypto';
import type { AuditEntryRow } from './rows.ts';

/** What the first entry of a business names as its predecessor. */
export const genesisHash = '0'.repeat(64);

/** The columns a hash covers, in the order they are written. Adding one would need a new version of the form. */
export const hashedColumns = [
  'id',
  'businessId',
  'sequence',
  'kind',
  'status',
  'reason',
  'actorKind',
  'actorId',
  'staffId',
  'terminalId',
  'paymentId',
  'refundId',
  'amountMinor',
  'detailJson',
  'attemptedAt',
  'recordedAt',
  'previousHash',
] as const satisfies readonly (keyof AuditEntryRow)[];

export type HashedEntry = Omit<AuditEntryRow, 'hash'>;

/**
 * The SHA-256 (hex) of an entry: over a JSON array of its columns in fixed order. The detail goes in as the text that is
 * stored, so that nothing has to be serialised the same way twice.
 */
export function hashOf(entry: HashedEntry): string {
  return createHash('sha256')
    .update(JSON.stringify(['florin-audit-v1', ...hashedColumns.map(column => entry[column])]))
    .digest('hex');
}

export type ChainCheck =
  | { readonly kind: 'intact'; readonly entries: number; readonly head: string }
  | { readonly kind: 'broken'; readonly sequence: number; readonly id: string; readonly why: string };

/** Verifies a whole chain, fed in order; names the first entry that does not follow from the one before it. */
export function chainVerifier(): { add(entry: AuditEntryRow): void; check(): ChainCheck } {
  let sequence = 0;
  let head = genesisHash;
  let broken: ChainCheck | undefined;
  return {
    add(entry) {
      if (broken) return;
      const why = faultOf(entry, { sequence: sequence + 1, previousHash: head });
      if (why) broken = { kind: 'broken', sequence: entry.sequence, id: entry.id, why };
      sequence = entry.sequence;
      head = entry.hash;
    },
    check: () => broken ?? { kind: 'intact', entries: sequence, head },
  };
}

function faultOf(entry: AuditEntryRow, expected: { sequence: number; previousHash: string }): string | undefined {
  if (entry.sequence !== expected.sequence) return `entry ${expected.sequence} is missing`;
  if (entry.previousHash !== expected.previousHash) return 'it does not follow from the entry before it';
  if (entry.hash !== hashOf(entry)) return 'its contents were changed';
  return undefined;
}

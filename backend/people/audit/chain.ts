import { hash } from 'node:crypto';
import type { AuditEntryRow } from './rows.ts';

/** The previous hash of a business's first entry. */
export const genesisHash = '0'.repeat(64);

/** The columns covered by the hash, in order. Adding one requires a new version of the format. */
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
 * The SHA-256 (hex) of an entry: a JSON array of its columns in fixed order. The detail is included as stored text, so
 * that it is never serialised again.
 */
export function hashOf(entry: HashedEntry): string {
  return hash('sha256', JSON.stringify(['florin-audit-v1', ...hashedColumns.map(column => entry[column])]));
}

export type ChainCheck =
  | { readonly kind: 'intact'; readonly entries: number; readonly head: string }
  | { readonly kind: 'broken'; readonly sequence: number; readonly id: string; readonly why: string };

/** Verifies a chain whose entries are added in order; reports the first entry that does not follow its predecessor. */
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

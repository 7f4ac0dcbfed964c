import { hash } from 'node:crypto';
import type { AuditEntryRow } from './rows.ts';
import type { FaultKind } from './words/audit-words.ts';
import { english } from './words/en.ts';

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
  | {
      readonly kind: 'broken';
      readonly sequence: number;
      readonly id: string;
      readonly why: string;
      readonly fault: AuditFault;
    };

/** What is wrong with a log, and with which entry or refund. */
export type AuditFault = { readonly kind: FaultKind; readonly subject: string };

/** A fault as text for programs and logs. */
export const textOfFault = ({ kind, subject }: AuditFault): string => english.faults[kind](subject);

/** Verifies a chain whose entries are added in order; reports the first entry that does not follow its predecessor. */
export function chainVerifier(): { add(entry: AuditEntryRow): void; check(): ChainCheck } {
  let sequence = 0;
  let head = genesisHash;
  let broken: ChainCheck | undefined;
  return {
    add(entry) {
      if (broken) return;
      const fault = faultOf(entry, { sequence: sequence + 1, previousHash: head });
      if (fault) broken = { kind: 'broken', sequence: entry.sequence, id: entry.id, why: textOfFault(fault), fault };
      sequence = entry.sequence;
      head = entry.hash;
    },
    check: () => broken ?? { kind: 'intact', entries: sequence, head },
  };
}

function faultOf(entry: AuditEntryRow, expected: { sequence: number; previousHash: string }): AuditFault | undefined {
  const subject = String(expected.sequence);
  if (entry.sequence !== expected.sequence) return { kind: 'entry_missing', subject };
  if (entry.previousHash !== expected.previousHash) return { kind: 'entry_not_linked', subject };
  if (entry.hash !== hashOf(entry)) return { kind: 'entry_changed', subject };
  return undefined;
}

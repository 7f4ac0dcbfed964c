import type { ReaderOutcome } from '../reader.ts';
import type { Entry, LastTransaction } from './journal.ts';
import type { StatusFacts } from './messages.ts';
import { approvalOf, failureOf, isSuccessOf } from './outcomes.ts';

/** What the reader's last transaction says about one whose outcome is not known. */
export type Resolution =
  | { readonly kind: 'ended'; readonly outcome: ReaderOutcome }
  /** The reader has executed nothing since. */
  | { readonly kind: 'not_executed' }
  /** Another transaction came in between, the reader was replaced, or it lost its memory: a person decides. */
  | { readonly kind: 'unclear' };

/**
 * Compares the reader's last transaction with the one before the command was sent. Only this terminal has the reader carry
 * out transactions, one at a time, so a new one of the same amount is the one in question.
 */
export function resolve(entry: Entry, now: LastTransaction): Resolution {
  const { before } = entry;
  if (now.kind === 'none')
    return before.kind === 'none' && before.code === now.code ? { kind: 'not_executed' } : { kind: 'unclear' };
  const { facts } = now;
  if (facts.terminalId !== undefined && facts.terminalId !== entry.terminalId) return { kind: 'unclear' };
  if (before.kind === 'facts' && isSame(before.facts, facts)) return { kind: 'not_executed' };
  if (isSuccessOf(entry, facts)) return { kind: 'ended', outcome: approvalOf(entry, facts) };
  if (facts.amountMinor !== undefined && facts.amountMinor !== entry.amountMinor) return { kind: 'unclear' };
  if (facts.result === undefined) return { kind: 'unclear' };
  if (facts.result !== 0) return { kind: 'ended', outcome: failureOf(entry, facts.result, undefined) };
  return wasReversed(entry, facts)
    ? { kind: 'ended', outcome: { kind: 'declined', by: 'reader', code: 'REVERSED' } }
    : { kind: 'unclear' };
}

function isSame(one: StatusFacts, other: StatusFacts): boolean {
  const identified = one.trace ?? one.receipt ?? other.trace ?? other.receipt;
  if (identified === undefined) return JSON.stringify(one) === JSON.stringify(other);
  return one.trace === other.trace && one.receipt === other.receipt && one.result === other.result;
}

/** The reader carried out the transaction and then reversed it by itself: the last one is that reversal. */
function wasReversed({ kind, before }: Entry, { originalTrace }: StatusFacts): boolean {
  if (kind === 'void' || originalTrace === undefined) return false;
  return before.kind === 'none' || before.facts.trace !== originalTrace;
}

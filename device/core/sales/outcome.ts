import type { ReaderOutcome } from '../../readers/reader.ts';
import type { SaleReport } from '../store/store.ts';
import type { SaleContext, SaleOutcome } from './context.ts';
import { type BankState, bankStateOfReader, type SaleDecision } from './decision.ts';

type ReaderFacts = Pick<SaleContext, 'reader' | 'readerDetail' | 'authorisationCode' | 'processorReference'>;

/** A reader's outcome as its word, with what is worth keeping of it. */
export function readerFactsOf(outcome: ReaderOutcome): ReaderFacts {
  const unreported = { readerDetail: null, authorisationCode: null, processorReference: null };
  switch (outcome.kind) {
    case 'approved': {
      const { authorisationCode, processorReference = null } = outcome;
      return { ...unreported, reader: 'approved', authorisationCode, processorReference };
    }
    case 'declined':
      return { ...unreported, reader: 'refused', readerDetail: outcome.by };
    case 'cancelled':
      return { ...unreported, reader: 'cancelled', readerDetail: outcome.by };
    case 'timed_out':
      return { ...unreported, reader: 'timed_out' };
    case 'not_available':
      return { ...unreported, reader: 'not_available', readerDetail: outcome.reason };
    case 'unknown':
      return { ...unreported, reader: 'lost' };
  }
}

/** What may be kept of the card of an approval. */
export function cardOfOutcome(outcome: ReaderOutcome): SaleContext['card'] {
  if (outcome.kind !== 'approved') return null;
  const { scheme, lastFour, entryMode } = outcome.card;
  return { scheme, lastFour, entryMode };
}

/** What the service is to record of a sale that the reader had its own processor approve. */
export function recordReport(context: SaleContext): SaleReport {
  const { saleId, amountMinor, currency, startedAt, processorReference, authorisationCode, card } = context;
  const record = {
    amountInCents: amountMinor,
    currency,
    takenAt: new Date(startedAt).toISOString(),
    processorReference: processorReference ?? saleId,
    authorisationCode: authorisationCode ?? '',
    card,
  };
  return { saleId, kind: 'record', reason: null, until: null, recordJson: JSON.stringify(record) };
}

/** With a reader that asks the bank by itself, its outcome is the bank's word too. */
export function endedBy(context: SaleContext, outcome: ReaderOutcome): Partial<SaleContext> {
  if (context.authorisation === 'host') return readerFactsOf(outcome);
  return { ...readerFactsOf(outcome), bank: bankStateOfReader(outcome), card: cardOfOutcome(outcome) };
}

/** While a reader that asks the bank by itself cannot be seen, it may be asking. */
export function bankUnreachable({ authorisation, bank }: SaleContext): BankState {
  return authorisation === 'reader' ? 'unknown' : bank;
}

/** Once a card was read, only a word on the transaction itself counts. */
export function readerFactsAfterReading(outcome: ReaderOutcome): ReaderFacts {
  return readerFactsOf(outcome.kind === 'not_available' ? { kind: 'unknown' } : outcome);
}

/** Why a sale ended, in one closed word; words.ts says it to the cashier. */
export function outcomeOf(decision: SaleDecision, context: SaleContext): SaleOutcome {
  if (decision === 'approved') {
    return { kind: 'approved', why: context.reader === 'approved' ? 'reader_confirmed' : 'reader_gone' };
  }
  if (decision === 'declined') {
    return context.bank === 'failed'
      ? { kind: 'failed', why: 'bank_failed' }
      : { kind: 'declined', why: 'bank_declined' };
  }
  if (decision === 'voided') {
    const isPart = context.record?.reversal?.reason === 'partial_approval';
    return { kind: isPart ? 'declined' : 'failed', why: 'voided' };
  }
  if (decision === 'disagree') return { kind: 'failed', why: 'disagree' };
  return endedByReader(context);
}

export function endedByReader(context: SaleContext): SaleOutcome {
  // Why the bank was not asked explains more than how the reader then ended the dialogue.
  if (context.bank === 'refused') return { kind: 'failed', why: 'service_refused' };
  if (context.bank === 'not_asked' && context.card) return { kind: 'failed', why: 'service_not_reached' };
  // Stopped by this program or for want of an answer: not by the staff, and not by the card.
  const wasCut = context.readerDetail === (context.reader === 'cancelled' ? 'staff' : 'reader');
  if (wasCut && !context.cancelRequested) return { kind: 'failed', why: 'interrupted' };
  switch (context.reader) {
    case 'cancelled':
      return { kind: 'cancelled', why: context.readerDetail === 'staff' ? 'staff' : 'customer' };
    case 'timed_out':
      return { kind: 'timed_out', why: 'no_card' };
    case 'refused':
      return { kind: 'declined', why: 'card_refused' };
    case 'not_available':
      return { kind: 'failed', why: 'reader_not_available' };
    case 'not_reported':
    case 'active':
    case 'lost':
    case 'gone':
    case 'forgotten':
    case 'reversed':
    case 'approved':
      return context.cancelRequested ? { kind: 'cancelled', why: 'staff' } : { kind: 'failed', why: 'interrupted' };
  }
}

import type { ReadCard, ReaderOutcome } from '../../readers/reader.ts';
import type { SaleReport } from '../store/store.ts';
import type { SaleContext, SaleOutcome } from './context.ts';
import { type BankState, bankStateOfReader, type SaleDecision } from './decision.ts';

type ReaderFacts = Pick<
  SaleContext,
  'reader' | 'readerDetail' | 'authorisationCode' | 'processorReference' | 'readerSerial'
>;

/** The reader's outcome, with the facts worth keeping. */
export function readerFactsOf(outcome: ReaderOutcome): ReaderFacts {
  const unreported = { readerDetail: null, authorisationCode: null, processorReference: null };
  switch (outcome.kind) {
    case 'approved': {
      const { authorisationCode, processorReference = null, readerSerial } = outcome;
      return { ...unreported, reader: 'approved', authorisationCode, processorReference, readerSerial };
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

/** The card data of an approval that may be stored. */
export function cardOfOutcome(outcome: ReaderOutcome): SaleContext['card'] {
  return outcome.kind === 'approved' ? storedCard(outcome.card) : null;
}

/** What may be stored of a card. */
export function storedCard(card: ReadCard): NonNullable<SaleContext['card']> {
  const { scheme, lastFour, entryMode, applicationId, cardholderVerification } = card;
  return {
    scheme,
    lastFour,
    entryMode,
    ...(applicationId === undefined ? {} : { applicationId }),
    ...(cardholderVerification === 'signature' ? { asksSignature: true } : {}),
  };
}

/** What the service is told of a signature that the reader asks for, where nobody can take it. */
export function unsigned({ card, isAtKiosk }: SaleContext): { signature?: 'not_taken' } {
  return isAtKiosk === true && card?.asksSignature === true ? { signature: 'not_taken' } : {};
}

/** The facts the service records for a sale that the reader's own processor approved. */
export function recordReport(context: SaleContext): SaleReport {
  const { saleId, amountMinor, tipMinor, currency, startedAt, reference, card } = context;
  const { processorReference, readerSerial, authorisationCode } = context;
  const record = {
    amountInCents: amountMinor,
    tipInCents: tipMinor,
    currency,
    takenAt: new Date(startedAt).toISOString(),
    readerSerial,
    processorReference: processorReference ?? saleId,
    authorisationCode: authorisationCode ?? '',
    reference,
    card: card && { ...card, scheme: card.scheme ?? 'Other', ...unsigned(context) },
  };
  return { saleId, kind: 'record', reason: null, until: null, recordJson: JSON.stringify(record) };
}

/** The facts of a sale that such a reader may have charged and no longer knows. */
export function unknownReport(context: SaleContext): SaleReport {
  const { saleId, amountMinor, tipMinor, currency, reference } = context;
  const sale = { amountInCents: amountMinor, tipInCents: tipMinor, currency, reference };
  return { saleId, kind: 'unknown', reason: null, until: null, recordJson: JSON.stringify(sale) };
}

/** With a reader that authorises by itself, its outcome is also the bank's. */
export function endedBy(context: SaleContext, outcome: ReaderOutcome): Partial<SaleContext> {
  if (context.authorisation === 'host') return readerFactsOf(outcome);
  return { ...readerFactsOf(outcome), bank: bankStateOfReader(outcome), card: cardOfOutcome(outcome) };
}

/** While such a reader is disconnected, it may be authorising. */
export function bankUnreachable({ authorisation, bank }: SaleContext): BankState {
  return authorisation === 'reader' ? 'unknown' : bank;
}

/** Once a card was read, only a statement about this transaction is accepted. */
export function readerFactsAfterReading(outcome: ReaderOutcome): ReaderFacts {
  return readerFactsOf(outcome.kind === 'not_available' ? { kind: 'unknown' } : outcome);
}

/** The reason a sale ended, as a closed union; words.ts has the cashier's text for each. */
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

/** The reader was stopped by this program or by a missing response, not by the staff or the card. */
function wasInterrupted({ reader, readerDetail, cancelRequested }: SaleContext): boolean {
  return readerDetail === (reader === 'cancelled' ? 'staff' : 'reader') && !cancelRequested;
}

/** Why an approval is reversed, as the service records it. */
export function reverseReasonOf(context: SaleContext): NonNullable<SaleReport['reason']> {
  if (wasInterrupted(context)) return context.checkingBecause === 'bank_silent' ? 'outcome_unknown' : 'not_completed';
  return context.reader === 'refused' ? 'card_refused' : 'customer_cancelled';
}

/** The outcome of a sale that was not charged, or whose approval is reversed. */
export function endedByReader(context: SaleContext): SaleOutcome {
  // The reason the bank was not reached explains more than the way the reader ended the dialogue.
  if (context.bank === 'refused') return { kind: 'failed', why: 'service_refused' };
  if (context.bank === 'not_asked' && context.card) return { kind: 'failed', why: 'service_not_reached' };
  if (wasInterrupted(context)) return { kind: 'failed', why: 'interrupted' };
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

import type { CardReader, HostAnswer, ReaderOutcome } from '../../readers/reader.ts';
import type { Log } from '../ports.ts';
import type { Store } from '../store/store.ts';

const resumeTimeoutMs = 60_000;

/**
 * Ends a dialogue the reader is still in, with the bank's answer as far as there is one. Without an approval it is asked
 * to stop; one that already waits for the bank cannot stop and gets the answer instead. Only for a transaction the
 * reader has just said to be active: given to a reader that does not know it, it would begin a payment.
 */
export async function endDialogue(
  reader: CardReader,
  given: { transactionId: string; amountMinor: number; currency: string; answer: HostAnswer },
): Promise<ReaderOutcome> {
  const { transactionId, amountMinor, currency, answer } = given;
  const ended = reader.sale({
    transactionId,
    amount: { amountMinor, currency },
    timeoutMs: resumeTimeoutMs,
    onStage: () => undefined,
    authorise: async () => answer,
  });
  if (answer.kind !== 'approved') await reader.cancel(transactionId);
  return ended;
}

/**
 * Frees the reader of a transaction whose flow is over and stored: ends what it is still doing about it, then lets it
 * forget. False when the reader could not be asked; it blocks the next sale then, which tries again.
 */
export async function releaseTransaction(options: {
  reader: CardReader;
  store: Store;
  log: Log;
  transactionId: string;
}): Promise<boolean> {
  const { reader, store, log, transactionId } = options;
  const known = store.readerTransaction(transactionId);
  const memory = await reader.last(transactionId);
  if (memory.kind === 'unreachable') return false;
  // Not of this terminal, or of an earlier database of it: what the reader knows is kept in the log at least.
  if (!known) log.warn('reader_held_a_foreign_transaction', { transactionId, memory: memory.kind });
  if (memory.kind === 'active') {
    const wasApproved = known?.outcome === 'reader_gone' || known?.outcome === 'reader_confirmed';
    const authorisationCode = (known && store.saleSeen(known.saleId)?.authorisationCode) ?? '';
    const answer: HostAnswer = wasApproved
      ? { kind: 'approved', authorisationCode, hostCode: '00' }
      : { kind: 'unknown' };
    if (known) {
      const outcome = await endDialogue(reader, { ...known, answer });
      log.info('reader_dialogue_ended', { transactionId, outcome: outcome.kind });
      if (outcome.kind === 'unknown' || outcome.kind === 'not_available') return false;
    } else {
      await reader.cancel(transactionId);
    }
  }
  await reader.confirm(transactionId);
  return true;
}

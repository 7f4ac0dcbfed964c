import type { Log } from '@florin/shared/ports.ts';
import type { CardReader, HostAnswer, ReaderOutcome } from '../../readers/reader.ts';
import type { Store } from '../store/store.ts';

const resumeTimeoutMs = 60_000;

/**
 * Ends a dialogue that is still open at the reader. Without an approval the reader is cancelled; a reader that already
 * waits for the bank cannot cancel and receives the response instead. Use only for a transaction that the reader has
 * just reported as active: sent to a reader that does not know it, it would start a payment.
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
 * Releases the reader from a transaction whose outcome is stored: ends its dialogue, then confirms the result. False if
 * the reader could not be reached; the next sale then tries again.
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
  // The transaction is not in this terminal's database, so the reader's record of it is logged.
  if (!known) log.warn({ transactionId, memory: memory.kind }, 'the reader held an unknown transaction');
  if (memory.kind === 'active') {
    const wasApproved = known?.outcome === 'reader_gone' || known?.outcome === 'reader_confirmed';
    const authorisationCode = (known && store.saleSeen(known.saleId)?.authorisationCode) ?? '';
    const answer: HostAnswer = wasApproved
      ? { kind: 'approved', authorisationCode, hostCode: '00' }
      : { kind: 'unknown' };
    if (known) {
      const outcome = await endDialogue(reader, { ...known, answer });
      log.info({ transactionId, outcome: outcome.kind }, 'the reader ended an earlier dialogue');
      if (outcome.kind === 'unknown' || outcome.kind === 'not_available') return false;
    } else {
      await reader.cancel(transactionId);
    }
  }
  await reader.confirm(transactionId);
  return true;
}

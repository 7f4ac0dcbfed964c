import type { RefundRecord } from '@florin/shared/contracts/api-v1/refunds.ts';
import type { ReaderRefundOutcome } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { unreachable } from '@florin/shared/result.ts';
import type { CardReader, ReaderOutcome } from '../../readers/reader.ts';

/**
 * `not_yet`: the reader cannot say now, and is asked again. `forgotten`: it restarted without its memory and may or may
 * not have returned the money, so a person decides.
 */
export type ReaderReturn = ReaderRefundOutcome | { readonly kind: 'not_yet' } | { readonly kind: 'forgotten' };

/** The reader is busy or holds another result: nothing was started, and a later attempt may succeed. */
const passing: ReadonlySet<string> = new Set(['pending', 'busy', 'not_connected', 'not_sendable']);

/** Only a reader that authorises by itself can return what such a reader took, and it must be connected. */
export function mayReturnAt(reader: CardReader, { authorisedBy }: Pick<SaleRecord, 'authorisedBy'>): boolean {
  if (authorisedBy !== 'reader') return true;
  return reader.authorisation === 'reader' && reader.status().connection === 'ready';
}

/**
 * Has the reader return the money of a sale that it authorised by itself, under the request's own id: it is asked first
 * what it remembers of it, and sent only where it has no record of it.
 */
export async function returnAtReader(
  reader: CardReader,
  given: { requestId: string; refund: RefundRecord; sale: SaleRecord; bootId: string | null },
): Promise<ReaderReturn> {
  const { requestId: transactionId, refund, sale, bootId } = given;
  const memory = await reader.last(transactionId, ...(bootId === null ? [] : [{ underBootId: bootId }]));
  switch (memory.kind) {
    case 'done':
      return returnOf(memory.outcome, transactionId);
    case 'unknown_to_reader': {
      const about = {
        transactionId,
        saleTransactionId: sale.saleId,
        saleReference: sale.processorReference ?? sale.saleId,
      };
      const amount = { amountMinor: refund.amountInCents ?? 0, currency: refund.currency };
      const outcome = refund.kind === 'CANCEL' ? reader.void(about) : reader.refund({ ...about, amount });
      return returnOf(await outcome, transactionId);
    }
    case 'reversed':
      return { kind: 'not_performed', reason: 'reversed' };
    case 'forgotten':
      return { kind: 'forgotten' };
    case 'active':
    case 'unreachable':
      return { kind: 'not_yet' };
    default:
      return unreachable(memory);
  }
}

function returnOf(outcome: ReaderOutcome, transactionId: string): ReaderReturn {
  switch (outcome.kind) {
    case 'approved':
      return { kind: 'approved', processorReference: outcome.processorReference ?? transactionId };
    case 'declined':
      return { kind: 'declined', code: outcome.code };
    case 'cancelled':
    case 'timed_out':
      return { kind: 'not_performed', reason: outcome.kind };
    case 'not_available':
      if (outcome.reason === 'settled') return { kind: 'already_settled' };
      return passing.has(outcome.reason) ? { kind: 'not_yet' } : { kind: 'not_performed', reason: outcome.reason };
    case 'unknown':
      return { kind: 'not_yet' };
    default:
      return unreachable(outcome);
  }
}

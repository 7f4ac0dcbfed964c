import type { Instant } from '@florin/shared/ports.ts';
import type { NotSent, OnChainOutcome, PaymentOutcome } from '../nodes/node.ts';
import type { WithdrawalRow } from './rows.ts';
import type { OutcomeColumns } from './store.ts';

/** From how many confirmations on a sending is final. */
const finalConfirmations = 1;

/** What a row becomes by what the node said; undefined where it said nothing new. */
export function outcomeOf(
  row: WithdrawalRow,
  said: PaymentOutcome | OnChainOutcome | NotSent,
  now: Instant,
): OutcomeColumns | undefined {
  const { txId, preimage, feeSats, nextPollAt } = row;
  const underWay = { failureReason: null, txId, preimage, feeSats, nextPollAt, finalAt: null };
  switch (said.kind) {
    case 'succeeded':
      return {
        ...underWay,
        status: 'completed',
        preimage: said.preimage,
        feeSats: Math.ceil(said.feeMsat / 1000),
        nextPollAt: null,
        finalAt: now,
      };
    case 'sent': {
      const isFinal = said.confirmations >= finalConfirmations;
      const known = { ...underWay, txId: said.txId, feeSats: said.feeSats ?? feeSats };
      return isFinal
        ? { ...known, status: 'completed', nextPollAt: null, finalAt: now }
        : { ...known, status: 'pending' };
    }
    case 'failed':
      return failed(row, said.reason, now);
    case 'notSent':
      return failed(row, said.cause, now);
    case 'inFlight':
      return { ...underWay, status: 'pending' };
    case 'unknown':
      return undefined;
  }
}

/** Nothing was sent, and nothing will be. */
export function failed({ txId, preimage }: WithdrawalRow, reason: string, now: Instant): OutcomeColumns {
  return { status: 'failed', failureReason: reason, txId, preimage, feeSats: null, nextPollAt: null, finalAt: now };
}

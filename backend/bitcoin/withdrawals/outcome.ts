import type { Instant } from '@florin/shared/ports.ts';
import type { NotSent, OnChainOutcome, PaymentOutcome } from '../nodes/node.ts';
import type { WithdrawalRow } from './rows.ts';
import type { OutcomeColumns } from './store.ts';

/** Confirmations after which an on-chain payment is final. */
const finalConfirmations = 1;

/** The changes of a row after a node's answer; undefined if nothing is new. */
export function outcomeOf(
  row: WithdrawalRow,
  answer: PaymentOutcome | OnChainOutcome | NotSent,
  now: Instant,
): OutcomeColumns | undefined {
  const { txId, preimage, feeSats, nextPollAt } = row;
  const underWay = { failureReason: null, txId, preimage, feeSats, nextPollAt, finalAt: null };
  switch (answer.kind) {
    case 'succeeded':
      return {
        ...underWay,
        status: 'completed',
        preimage: answer.preimage,
        feeSats: Math.ceil(answer.feeMsat / 1000),
        nextPollAt: null,
        finalAt: now,
      };
    case 'sent': {
      const isFinal = answer.confirmations >= finalConfirmations;
      const known = { ...underWay, txId: answer.txId, feeSats: answer.feeSats ?? feeSats };
      return isFinal
        ? { ...known, status: 'completed', nextPollAt: null, finalAt: now }
        : { ...known, status: 'pending' };
    }
    case 'failed':
      return failed(row, answer.reason, now);
    case 'notSent':
      return failed(row, answer.cause, now);
    case 'inFlight':
      return { ...underWay, status: 'pending' };
    case 'unknown':
      return undefined;
  }
}

/** Final: nothing was or will be sent. */
export function failed({ txId, preimage }: WithdrawalRow, reason: string, now: Instant): OutcomeColumns {
  return { status: 'failed', failureReason: reason, txId, preimage, feeSats: null, nextPollAt: null, finalAt: now };
}

import type { TransactionRecord } from '@florin/shared/contracts/api-v1/transactions.ts';

/** The figures of the overview and of the totals of a day, counted anew from lines of the transactions list. */
export function sumsOf(lines: readonly TransactionRecord[]) {
  const sumOf = (some: readonly TransactionRecord[]) =>
    some.reduce((total, { amountInCents }) => total + Math.abs(amountInCents), 0);
  const isLoss = ({ id }: TransactionRecord) => id.startsWith('txn_v');
  const taken = lines.filter(({ type }) => type === 'payment');
  const rejected = lines.filter(({ type }) => type === 'settlement_rejected');
  const voided = lines.filter(line => isLoss(line) && line.type !== 'settlement_rejected');
  const refunded = lines.filter(line => line.type !== 'payment' && !isLoss(line));
  return {
    takenInCents: sumOf(taken),
    voidedInCents: sumOf(voided),
    rejectedInCents: sumOf(rejected),
    refundedInCents: sumOf(refunded),
    netInCents: lines.reduce((total, { amountInCents }) => total + amountInCents, 0),
    paymentCount: taken.length,
    voidCount: voided.length,
    rejectedCount: rejected.length,
    refundCount: refunded.length,
  };
}

import { statement, type Transaction } from '../../backend/foundation/database/database.ts';
import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import type { MoneyTotalRow } from '../../backend/money/overview/rows.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';

const allTotals = statement<object, MoneyTotalRow>(({ db }) => db.selectFrom('moneyTotals').selectAll());
const allPayments = statement<object, PaymentRow>(({ db }) => db.selectFrom('payments').selectAll());
const allRefunds = statement<object, RefundRow>(({ db }) => db.selectFrom('refunds').selectAll());
const allDiscrepancies = statement<object, DiscrepancyRow>(({ db }) => db.selectFrom('discrepancies').selectAll());
/** The receipts of bitcoin that are tips as a whole. */
const tipReceipts = statement<object, { id: string }>(({ db }) =>
  db
    .selectFrom('bitcoinReceipts')
    .innerJoin('bitcoinInvoices', 'bitcoinInvoices.id', 'bitcoinReceipts.invoiceId')
    .where('bitcoinInvoices.purpose', '=', 'tip')
    .select('bitcoinReceipts.id'),
);

const sums = [
  'takenMinor',
  'takenCount',
  'voidedMinor',
  'voidedCount',
  'rejectedMinor',
  'rejectedCount',
  'returnedMinor',
  'returnedCount',
  'tipMinor',
  'tipCount',
] as const;
type Sums = Record<(typeof sums)[number], number>;

/** Once nothing is pending, the totals of the days equal what the records add up to. */
export async function* totalsFaults(tx: Transaction): AsyncGenerator<string> {
  const [found, expected] = [new Map<string, Sums>(), new Map<string, Sums>()];
  const of = (totals: Map<string, Sums>, rail: string) => {
    const known = totals.get(rail) ?? (Object.fromEntries(sums.map(name => [name, 0])) as Sums);
    totals.set(rail, known);
    return known;
  };
  for (const row of await tx.all(allTotals, {})) {
    const total = of(found, `${row.businessId} ${row.rail} ${row.currency}`);
    for (const name of sums) total[name] += row[name];
  }
  const refunds = Map.groupBy(await tx.all(allRefunds, {}), row => row.paymentId);
  const discrepancies = Map.groupBy(await tx.all(allDiscrepancies, {}), row => row.paymentId ?? '');
  const tips = new Set((await tx.all(tipReceipts, {})).map(({ id }) => id));
  for (const payment of await tx.all(allPayments, {})) {
    const total = of(expected, `${payment.businessId} ${railOf(payment)} ${payment.currency}`);
    add(total, payment, {
      returned: [
        ...(refunds.get(payment.id) ?? []).filter(isReturned).map(({ amountMinor }) => amountMinor),
        ...(discrepancies.get(payment.id) ?? []).map(row => row.returnedMinor).filter(minor => minor > 0),
      ],
      isTip: tips.has(payment.clientRequestId ?? ''),
    });
  }
  for (const rail of new Set([...found.keys(), ...expected.keys()]))
    for (const name of sums)
      if (of(found, rail)[name] !== of(expected, rail)[name])
        yield `the totals of ${rail} have ${name} ${of(found, rail)[name]}, the records ${of(expected, rail)[name]}`;
}

function railOf({ method }: PaymentRow): string {
  return method === 'apple_pay' || method === 'google_pay' ? 'wallet' : method;
}

function isReturned({ kind, status, outcomeAt }: RefundRow): boolean {
  return kind !== 'CANCEL' && (status === 'approved' || status === 'recorded') && outcomeAt !== null;
}

function add(total: Sums, payment: PaymentRow, { returned, isTip }: { returned: readonly number[]; isTip: boolean }) {
  const takenMinor = payment.approvedMinor ?? payment.amountMinor;
  let leftMinor = 0;
  if (payment.takenAt !== null) {
    total.takenMinor += takenMinor;
    total.takenCount += 1;
    leftMinor = takenMinor;
  }
  if (payment.voidedOrRejectedAt !== null) {
    const effect = payment.status === 'settlement_rejected' ? 'rejected' : 'voided';
    total[`${effect}Minor`] += takenMinor;
    total[`${effect}Count`] += 1;
    leftMinor -= takenMinor;
  }
  for (const minor of returned) {
    total.returnedMinor += minor;
    total.returnedCount += 1;
    leftMinor -= minor;
  }
  // What is left of a payment is its tip before anything else.
  const keptMinor = Math.max(0, Math.min(isTip ? takenMinor : payment.tipMinor, leftMinor));
  total.tipMinor += keptMinor;
  total.tipCount += keptMinor > 0 ? 1 : 0;
}

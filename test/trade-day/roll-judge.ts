import type { Records } from './bank-book.ts';
import type { Noted } from './roll.ts';
import type { TradeShop } from './shop.ts';

type Amounts = Map<string, number>;

/** What staff were not told the end of: it may have become anything. */
const open: ReadonlySet<Noted['end']> = new Set<Noted['end']>(['ask_staff', 'being_returned', 'no_end', 'pending']);

/**
 * Where the service’s records contradict what the screens said: each sale and return that was approved on a screen is in
 * the records once, and each in the records was approved on a screen or its end was left open there.
 */
export function wrongInRoll(shop: TradeShop, { payments, refunds }: Records): string[] {
  const nameOf = new Map(shop.counters.map(({ id, name }) => [id, name]));
  const recorded: Amounts = new Map();
  const reversed = new Set(
    refunds.filter(({ isReversal, status }) => isReversal && status === 'approved').map(({ paymentId }) => paymentId),
  );
  for (const { id, terminalId, takenAt, approvedMinor, amountMinor, tipMinor } of payments)
    if (takenAt !== null && !reversed.has(id))
      add(recorded, ['sale', nameOf.get(terminalId ?? ''), approvedMinor ?? amountMinor, tipMinor], 1);
  for (const { kind, status, terminalId, amountMinor, isReversal } of refunds)
    if (status === 'approved' && !isReversal)
      add(recorded, [kind === 'CANCEL' ? 'void' : 'refund', nameOf.get(terminalId ?? ''), amountMinor, 0], 1);
  const undecided: Amounts = new Map();
  for (const line of shop.roll.lines) {
    if (line.end === 'approved') add(recorded, keyOf(line), -1);
    else if (open.has(line.end)) add(undecided, keyOf(line), 1);
  }
  return [...recorded].flatMap(([what, count]) => {
    if (count === 0 || (count > 0 && count <= (undecided.get(what) ?? 0))) return [];
    return [`${what}: ${count > 0 ? 'recorded, and no screen said so' : 'approved on a screen, and not recorded'}`];
  });
}

const keyOf = (line: Noted) => [line.kind, line.counter, line.amountMinor, line.kind === 'sale' ? line.tipMinor : 0];

function add(amounts: Amounts, key: readonly unknown[], count: number): void {
  const name = key.join(' ');
  amounts.set(name, (amounts.get(name) ?? 0) + count);
}

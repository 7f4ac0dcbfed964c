import type { DiscrepancyRow } from '../../backend/money/discrepancies/rows.ts';
import type { PaymentRow } from '../../backend/money/payments/rows.ts';
import type { RefundRow } from '../../backend/money/refunds/rows.ts';
import { type Operation, refundMinor, type Shown, saleMinor } from './people.ts';
import type { MatrixShop } from './shop.ts';

/**
 * `moved`: the money was taken, or returned; `not_moved`: it was not. `open`: nobody claims to know, and something open
 * names it. `disagrees`: two parties tell different things, and nothing says so.
 */
export type Outcome = 'moved' | 'not_moved' | 'open' | 'disagrees';
export type Verdict = { readonly outcome: Outcome; readonly why: string };

const took: ReadonlySet<string> = new Set(['unsettled', 'settled']);

/** Compares what reader, terminal, service and bank say once everything is at rest. */
export async function judge(shop: MatrixShop, operation: Operation, shown: Shown): Promise<Verdict> {
  const payments = await shop.world.rows<PaymentRow>('payments');
  const refunds = await shop.world.rows<RefundRow>('refunds');
  const discrepancies = await shop.world.rows<DiscrepancyRow>('discrepancies');
  const open = discrepancies.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind }) => `discrepancy ${kind}`);
  const pending = [...payments, ...refunds]
    .filter(({ status }) => status === 'pending')
    .map(({ id }) => `${id} is pending`);
  const heldByService = payments.reduce(
    (sum, payment) =>
      took.has(payment.status) ? sum + (payment.approvedMinor ?? payment.amountMinor) - payment.refundedMinor : sum,
    0,
  );
  const heldByBank = shop.bank.heldMinor();
  const before = operation === 'sale' ? 0 : saleMinor;
  const after = { sale: saleMinor, void: 0, refund: saleMinor - refundMinor }[operation];
  const terminal = saidByTerminal(shown);
  const reader = saidByReader(shop, operation);
  const facts = [
    `bank holds ${heldByBank}`,
    `service ${heldByService}`,
    `terminal says ${shown ? `${shown.outcome} (${shown.notice.message})` : 'nothing'}`,
    `reader says ${reader}`,
    ...open,
    ...pending,
  ].join('; ');
  const isNamed = open.length > 0 || pending.length > 0;
  const wrong = (why: string): Verdict => ({ outcome: 'disagrees', why: `${why}: ${facts}` });
  if (heldByBank !== before && heldByBank !== after) return wrong('the bank holds another amount');
  if (pending.length > 0 && !isHonest(terminal)) return wrong('the terminal is sure of what the service does not know');
  if (terminal === 'ask' && !isNamed) return wrong('only the terminal’s screen says that it is not known');
  if (heldByBank !== heldByService && !isNamed) return wrong('bank and service differ');
  const isMoved = heldByBank === after;
  if (terminal === (isMoved ? 'not_moved' : 'moved')) return wrong('the terminal tells another end than the bank');
  if (terminal === 'nothing' && isMoved) return wrong('money moved, and the terminal showed no end');
  if (!isNamed && reader !== 'nothing' && (reader === 'moved') !== isMoved && !names(shown))
    return wrong('the reader tells another end than the bank');
  if (isNamed) return { outcome: 'open', why: facts };
  return { outcome: isMoved ? 'moved' : 'not_moved', why: facts };
}

type Said = 'moved' | 'not_moved' | 'ask' | 'nothing';

function saidByTerminal(shown: Shown): Said {
  if (!shown) return 'nothing';
  if (shown.name === 'return_result') {
    if (shown.outcome === 'approved') return 'moved';
    return shown.outcome === 'pending' ? 'ask' : 'not_moved';
  }
  const { customerOutcome } = shown;
  if (customerOutcome === 'approved') return 'moved';
  return customerOutcome === 'ask_staff' || customerOutcome === 'being_returned' ? 'ask' : 'not_moved';
}

const isHonest = (said: Said) => said === 'ask' || said === 'nothing';

/** What the reader has in its memory about the operation; `nothing` if it has no record of one. */
function saidByReader(shop: MatrixShop, operation: Operation): 'moved' | 'not_moved' | 'nothing' {
  const transactions = shop.reader.state().transactions;
  if (operation !== 'sale' && shop.protocol === 'line') return 'nothing';
  const kind = { sale: 'payment', void: 'reversal', refund: 'refund' }[operation];
  const own = shop.protocol === 'line' ? transactions : transactions.filter(({ txn }) => txn.startsWith(kind));
  if (own.length === 0) return 'nothing';
  return own.some(({ outcome, state }) => outcome === 'approved' && state !== 'reversed') ? 'moved' : 'not_moved';
}

/** The terminal tells staff that the reader did not take part in the end of the sale. */
function names(shown: Shown): boolean {
  return shown?.name === 'sale_result' && shown.notice.detail !== null;
}

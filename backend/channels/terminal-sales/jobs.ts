import { system } from '@florin/shared/actor.ts';
import { type Clock, idPrefixes } from '@florin/shared/ports.ts';
import { inTraceBegunBy } from '../../foundation/context.ts';
import { type Database, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { EventRow } from '../../foundation/events/rows.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { SaleEndings } from '../../money/payments/completion.ts';
import type { TerminalSaleRow } from './rows.ts';
import { dueSales, openSaleInvoice } from './store.ts';
import type { MoneyState } from './terminal-sale.ts';
import type { SaleTransitions } from './transitions.ts';

/** How often a sale awaiting its bank is checked, if no event reports the outcome. */
const checkAgainMs = 30_000;

/** Ends sales that their terminal does not end, and records why nothing happens. */
export function dueTerminalSales(options: {
  database: Database;
  clock: Clock;
  transitions: SaleTransitions;
  endings: Pick<SaleEndings, 'complete'>;
}) {
  const { database, clock, transitions, endings } = options;

  async function endDue(tx: Transaction, id: string): Promise<void> {
    const locked = await transitions.lock(tx, id);
    if (!locked) return;
    const { sale, money } = locked;
    const now = clock.now();
    if (sale.dueAt === null || sale.dueAt > now) return;
    if (money) await followLate(tx, sale, money);
    else if (await tx.first(openSaleInvoice, { saleId: sale.id })) await awaitBitcoin(tx, sale);
    else if (now < sale.expiresAt)
      await transitions.move(tx, sale, {
        status: sale.status,
        statusReason: sale.status === 'PENDING' ? 'terminal_unreachable' : sale.statusReason,
        dueAt: sale.expiresAt,
      });
    else if (sale.atReaderAt !== null) await expireAtReader(tx, sale);
    else {
      const statusReason = sale.status === 'PENDING' ? 'terminal_unreachable' : 'expired';
      await transitions.endUnpaid(tx, sale, { status: 'TIMED_OUT', statusReason });
    }
  }

  /** Ends with its bitcoin request, once the node has reported everything; the terminal is free meanwhile. */
  async function awaitBitcoin(tx: Transaction, sale: TerminalSaleRow): Promise<void> {
    const isLate = clock.now() >= sale.expiresAt && sale.statusReason === 'awaiting_payment';
    await transitions.move(tx, sale, {
      status: 'PROCESSING',
      statusReason: isLate ? 'unknown_outcome' : sale.statusReason,
      rail: isLate ? 'bitcoin' : sale.rail,
      dueAt: Math.max(sale.expiresAt, clock.now() + checkAgainMs),
    });
  }

  /** Only the terminal can end it: it is requested to, and without a report the outcome stays unknown. */
  async function expireAtReader(tx: Transaction, sale: TerminalSaleRow): Promise<void> {
    const isSilent = sale.endRequested !== null || sale.statusReason === 'approved';
    await (isSilent ? transitions.recordUnknownOutcome(tx, sale) : transitions.requestEnd(tx, sale, 'expired'));
  }

  /** The terminal did not report the outcome: the bank decides. */
  async function followLate(tx: Transaction, sale: TerminalSaleRow, money: MoneyState): Promise<void> {
    const again = { dueAt: clock.now() + checkAgainMs };
    if (money.statusReason === 'authorising')
      await transitions.move(tx, sale, { status: 'PROCESSING', statusReason: 'unknown_outcome', ...again });
    else if (money.statusReason === 'approved' && sale.statusReason === 'approved') {
      await endings.complete(tx, money.paymentId, system);
      const after = await transitions.lock(tx, sale.id);
      await transitions.follow(tx, { ...sale, ...again }, after?.money ?? money);
    } else await transitions.follow(tx, { ...sale, ...again }, money);
  }

  return async (limit: number): Promise<number> => {
    const due = await database.all(dueSales, { now: clock.now(), limit });
    for (const { id } of due) await inTraceBegunBy(id, () => readingAgain(() => database.write(tx => endDue(tx, id))));
    return due.length;
  };
}

/** Events of terminal sales themselves. */
const isOwn = new Set<string>(['terminal.command_given', 'terminal_sale.bitcoin_changed']);

/** Updates each sale with its payment or refund. */
export function moneyFollower(
  transitions: SaleTransitions,
  discrepancies: Pick<Discrepancies, 'raise'>,
): EventConsumer {
  return {
    name: 'terminal-sales',
    ignores: event => !mayMoveSale(event),
    async handle(tx, { payload }) {
      const saleId = 'saleId' in payload ? payload.saleId : null;
      const locked = saleId === null ? undefined : await transitions.lock(tx, saleId);
      if (!locked?.money) return;
      const { sale, money } = locked;
      await transitions.follow(tx, sale, money);
      if (isPaidAfterEnd(sale, money))
        await discrepancies.raise(tx, {
          businessId: sale.businessId,
          paymentId: money.paymentId,
          kind: 'sale_paid_after_end',
          evidence: sale.id,
          recorded: { saleId: sale.id, status: sale.status, statusReason: sale.statusReason },
          gateway: { status: money.status, statusReason: money.statusReason },
        });
    },
  };
}

/**
 * Only a reader that authorises by itself can charge a sale that has ended: its final state, already reported to
 * callers, stays.
 */
function isPaidAfterEnd(sale: TerminalSaleRow, money: MoneyState): boolean {
  return sale.type === 'sale' && sale.endedAt !== null && sale.status !== 'COMPLETE' && money.status === 'COMPLETE';
}

/**
 * Whether a sale may change by this event: it concerns its own payment or refund. Operations keyed in at the terminal,
 * most of all refunds, have other ids and cost no transaction here.
 */
export function mayMoveSale({ type, payloadJson }: Pick<EventRow, 'type' | 'payloadJson'>): boolean {
  // The common id of a sale, its payment and its refund. Read as text: it is asked of every event, several times.
  return !isOwn.has(type) && payloadJson.includes(`"saleId":"${idPrefixes.sale}_`);
}

import type { Clock } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { PaymentRow } from '../database/schema.ts';
import type { EventConsumer } from '../events/dispatcher.ts';
import type { SaleEndings } from '../payments/completion.ts';
import { paymentById } from '../payments/store.ts';
import type { TerminalSaleRow } from './rows.ts';
import { dueSales } from './store.ts';
import { stateByPayment } from './terminal-sale.ts';
import type { SaleTransitions } from './transitions.ts';

/** How often a sale whose bank does not answer is looked at, should no event tell of it. */
const lookAgainMs = 30_000;

/** Ends what nobody ends, and says why nothing happens. */
export function dueTerminalSales(options: {
  database: Database;
  clock: Clock;
  transitions: SaleTransitions;
  endings: Pick<SaleEndings, 'complete'>;
}) {
  const { database, clock, transitions, endings } = options;

  async function lookAt(tx: Transaction, id: string): Promise<void> {
    const locked = await transitions.lock(tx, id);
    if (!locked) return;
    const { sale, payment } = locked;
    const now = clock.now();
    if (sale.dueAt === null || sale.dueAt > now) return;
    if (payment) await followLate(tx, sale, payment);
    else if (now < sale.expiresAt)
      await transitions.move(tx, sale, {
        status: sale.status,
        statusReason: sale.status === 'PENDING' ? 'terminal_unreachable' : sale.statusReason,
        dueAt: sale.expiresAt,
      });
    else {
      const statusReason = sale.status === 'PENDING' ? 'terminal_unreachable' : 'expired';
      await transitions.endUnpaid(tx, sale, { status: 'TIMED_OUT', statusReason });
    }
  }

  /** The terminal did not say how it ended: the bank's word counts. */
  async function followLate(tx: Transaction, sale: TerminalSaleRow, payment: PaymentRow): Promise<void> {
    const { statusReason } = stateByPayment(payment);
    const again = { dueAt: clock.now() + lookAgainMs };
    if (statusReason === 'authorising')
      await transitions.move(tx, sale, { status: 'PROCESSING', statusReason: 'unknown_outcome', ...again });
    else if (statusReason === 'approved' && sale.statusReason === 'approved')
      await transitions.followPayment(
        tx,
        sale,
        (await endings.complete(tx, payment.id, { kind: 'system' })) ??
          (await tx.first(paymentById, { businessId: payment.businessId, id: payment.id })) ??
          payment,
      );
    else await transitions.followPayment(tx, { ...sale, ...again }, payment);
  }

  return async (limit: number): Promise<number> => {
    const due = await database.all(dueSales, { now: clock.now(), limit });
    for (const { id } of due) await database.write(tx => lookAt(tx, id));
    return due.length;
  };
}

/** Lets each sale follow what becomes of its payment. */
export function paymentFollower(transitions: SaleTransitions): EventConsumer {
  return {
    name: 'terminal-sales',
    async handle(tx, event) {
      const saleId = 'saleId' in event.payload ? event.payload.saleId : null;
      const locked = saleId === null ? undefined : await transitions.lock(tx, saleId);
      if (locked?.payment && locked.payment.id === event.subjectId)
        await transitions.followPayment(tx, locked.sale, locked.payment);
    },
  };
}

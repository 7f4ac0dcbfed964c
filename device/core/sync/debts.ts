import { completeSale, reverseSale, type SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Log } from '../ports.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { Store, StoredDebt } from '../store/store.ts';
import type { Connection } from './connection.ts';

/** Tells the service what it has still to hear about finished sales, until it has answered. */
export interface Debts {
  /** One try at everything owed, in order. False when the service could not be reached. */
  settle(): Promise<boolean>;
}

type Settled = 'answered' | 'kept' | 'not_reached';

export function createDebts(options: {
  store: Store;
  connection: Connection;
  time: TrustedTime;
  log: Log;
  /** The service's record after a debt was settled. */
  settled: (record: SaleRecord) => void;
}): Debts {
  const { store, connection, time, log } = options;
  let running: Promise<void> | undefined;

  async function settleOne(debt: StoredDebt): Promise<Settled> {
    const params = { saleId: debt.saleId };
    const answer =
      debt.kind === 'complete'
        ? await connection.call(completeSale, { params })
        : await connection.call(reverseSale, { params, body: { reason: debt.reason ?? 'customer_cancelled' } });
    if (answer.kind === 'answered') {
      store.removeDebt(debt.position);
      options.settled(answer.body);
      return 'answered';
    }
    if (answer.kind !== 'refused') return 'not_reached';
    if (debt.kind === 'watch' && answer.status === 404) {
      // The lost request never arrived; it is given up only once that is certain.
      if (debt.until !== null && time.now() >= debt.until) store.removeDebt(debt.position);
      return 'kept';
    }
    if (debt.kind !== 'complete' && answer.reason === 'sale_completed') {
      // Completed means that a customer was told of it: only a void or a refund may take it back now.
      log.error('sale_was_completed_before_it_was_reversed', { saleId: debt.saleId });
      store.removeDebt(debt.position);
      return 'answered';
    }
    log.error('sale_debt_refused', {
      saleId: debt.saleId,
      debt: debt.kind,
      status: answer.status,
      reason: answer.reason,
    });
    return 'kept';
  }

  async function settleAll(): Promise<boolean> {
    for (const debt of store.debts()) if ((await settleOne(debt)) === 'not_reached') return false;
    return true;
  }

  return {
    settle() {
      // Whoever comes while a round is under way gets one of its own after it: their debt may be newer than the round.
      const round = (running ?? Promise.resolve()).then(settleAll);
      const over = () => {
        if (running === mine) running = undefined;
      };
      const mine: Promise<void> = round.then(over, over);
      running = mine;
      return round;
    },
  };
}

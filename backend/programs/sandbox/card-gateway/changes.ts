import type { Clock } from '@florin/shared/ports.ts';
import type { bank } from './bank.ts';
import { codes, invalid, type Refusal } from './codes.ts';
import { amountOf } from './request.ts';
import type { Store, TransactionRow } from './store.ts';
import type { Fields } from './wire.ts';

/** Changes to a transaction before it is handed to the bank for settlement. */
export function changes(options: { store: Store; clock: Clock; finish: ReturnType<typeof bank>['finish'] }) {
  const { store, clock, finish } = options;

  function refusalOfCancel(row: TransactionRow): Refusal | undefined {
    if (row.state === 'received' || row.state === 'approved' || row.state === 'captured') return undefined;
    return { code: codes.actionNotAllowed, message: `Can not CANCEL this ${row.action} transaction` };
  }

  function refusalOfCapture(row: TransactionRow, request: Fields): Refusal | undefined {
    if (row.action !== 'SALE' || (row.state !== 'approved' && row.state !== 'captured')) {
      return { code: codes.actionNotAllowed, message: `Can not CAPTURE this ${row.action} transaction` };
    }
    const amountMinor = capturedAmount(row, request);
    // A captured amount can only be lowered.
    const maxMinor = row.state === 'captured' ? row.receivedMinor : row.approvedMinor;
    return amountMinor === undefined || amountMinor < 1 || amountMinor > maxMinor ? invalid('amount') : undefined;
  }

  function cancel(row: TransactionRow): TransactionRow {
    if (row.action === 'REFUND_SALE' && row.relatedXref !== null) {
      const sale = store.byXref(row.relatedXref);
      if (sale)
        store.update(sale.xref, { refundedMinor: sale.refundedMinor - row.amountMinor, changedAt: clock.now() });
    }
    return finish(row, {
      state: 'canceled',
      code: codes.success,
      message: 'Transaction cancelled.',
      changes: { receivedMinor: 0 },
    });
  }

  function capture(row: TransactionRow, request: Fields): TransactionRow {
    const amountMinor = capturedAmount(row, request) ?? row.approvedMinor;
    return finish(row, {
      state: 'captured',
      code: codes.success,
      message: 'Transaction captured.',
      changes: { receivedMinor: amountMinor, captureDelayDays: 0, testAmountMinor: amountMinor },
    });
  }

  return { refusalOfCancel, refusalOfCapture, cancel, capture };
}

function capturedAmount(row: TransactionRow, request: Fields): number | undefined {
  return request.has('amount') ? amountOf(request, row) : row.approvedMinor;
}

import type { Clock } from '@florin/shared/ports.ts';
import { codes, declineOf, invalid } from './codes.ts';
import type { State, Store, TransactionRow } from './store.ts';
import { outcomeOfAmount, outcomeOfCardPresentAmount, type TestOutcome } from './test-data.ts';
import type { Fields } from './wire.ts';

/** The issuing bank behind the gateway: decides transactions and records the decision. */
export function bank({ store, clock }: { store: Store; clock: Clock }) {
  /** Decides a prepared transaction and records it. */
  function decide(decision: {
    row: TransactionRow;
    request: Fields;
    securityCodeFits: boolean;
    partlyMinor?: number | undefined;
    strongAuthentication?: 'done';
  }): TransactionRow {
    const { row, request } = decision;
    if (row.action === 'REFUND_SALE' || row.action === 'REFUND') return takeRefund(row);
    if (!decision.securityCodeFits) {
      return finish(row, { state: 'reversed', code: codes.doNotHonour, message: 'AVS/CV2 DECLINED' });
    }
    if (row.action === 'VERIFY') {
      return finish(row, { state: 'verified', code: codes.success, message: authMessage(row) });
    }
    const strongAuthentication =
      decision.strongAuthentication ?? (row.type === '1' && row.relatedXref === null ? 'possible' : 'not possible');
    const outcome =
      row.channel === 'cardPresent'
        ? outcomeOfCardPresentAmount(row.amountMinor)
        : outcomeOfAmount({
            amountMinor: row.testAmountMinor,
            authorisationCodeGiven: request.has('authorisationCode'),
            strongAuthentication,
          });
    return record(row, outcome, decision.partlyMinor);
  }

  function record(row: TransactionRow, outcome: TestOutcome, partlyMinor: number | undefined): TransactionRow {
    switch (outcome.kind) {
      case 'approve': {
        const approvedMinor = Math.min(partlyMinor ?? row.amountMinor, row.amountMinor);
        const captured = row.captureDelayDays === 0;
        return finish(row, {
          state: row.action === 'PREAUTH' ? 'reversed' : captured ? 'captured' : 'approved',
          code: approvedMinor < row.amountMinor ? codes.partlyApproved : codes.success,
          message: authMessage(row),
          changes: {
            approvedMinor,
            receivedMinor: row.action === 'PREAUTH' ? 0 : captured ? approvedMinor : 0,
          },
        });
      }
      case 'refer':
        return finish(row, { state: 'referred', ...declineOf(codes.referred) });
      case 'decline':
        return finish(row, { state: 'declined', ...declineOf(outcome.code) });
      case 'invalid': {
        // The published table uses this code for other amounts.
        const { code } = invalid('action');
        return finish(row, { state: 'finished', code, message: 'Invalid test amount' });
      }
    }
  }

  function takeRefund(row: TransactionRow): TransactionRow {
    if (row.action === 'REFUND_SALE' && row.relatedXref !== null) {
      const sale = store.byXref(row.relatedXref);
      if (sale)
        store.update(sale.xref, { refundedMinor: sale.refundedMinor + row.amountMinor, changedAt: clock.now() });
    }
    return finish(row, {
      state: 'captured',
      code: codes.success,
      message: 'REFUNDACCEPTED',
      changes: { approvedMinor: row.amountMinor, receivedMinor: row.amountMinor },
    });
  }

  function finish(
    row: TransactionRow,
    end: { state: State; code: number; message: string; changes?: Partial<TransactionRow> },
  ): TransactionRow {
    return store.update(row.xref, {
      state: end.state,
      responseCode: end.code,
      responseMessage: end.message,
      changedAt: clock.now(),
      ...end.changes,
    });
  }

  return { decide, finish };
}

function authMessage(row: TransactionRow): string {
  return `AUTHCODE:${row.authorisationCode ?? ''}`;
}

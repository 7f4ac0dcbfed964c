import type { SaleLedger } from './control.ts';
import type { Store } from './store.ts';

/** The gateway's own ledger by sale, independent of its clients' records. */
export function ledgerOf(store: Store): SaleLedger[] {
  return store
    .all()
    .filter(row => row.action === 'SALE')
    .map(sale => {
      const refunds = store.refundsOf(sale.xref);
      const returned = refunds.filter(refund => refund.responseCode === 0 && !/canceled|rejected/.test(refund.state));
      const taken = ['captured', 'tendered', 'accepted'].includes(sale.state);
      return {
        xref: sale.xref,
        merchantID: sale.merchantID,
        transactionUnique: sale.transactionUnique,
        state: sale.state,
        currencyCode: sale.currencyCode,
        takenMinor: taken ? sale.receivedMinor : 0,
        returnedMinor: returned.reduce((total, refund) => total + refund.receivedMinor, 0),
        refunds: refunds.map(refund => ({
          xref: refund.xref,
          transactionUnique: refund.transactionUnique,
          action: refund.action,
          state: refund.state,
          amountMinor: refund.amountMinor,
        })),
      };
    });
}

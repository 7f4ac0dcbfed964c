import type { Clock } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import type { Store, TransactionRow } from './store.ts';
import type { Fields } from './wire.ts';

/**
 * The window in which an identical request counts as a duplicate. Its clock can be advanced, and its entries cleared.
 */
export function duplicateWindow({ store, clock }: { store: Store; clock: Clock }) {
  let aheadMs = 0;
  let afterTransactionID = 0;
  const now = () => clock.now() + aheadMs;
  return {
    now,
    contain(account: MerchantAccount, row: Omit<TransactionRow, 'transactionID'>, request: Fields): boolean {
      const asked = Number(request.get('duplicateDelay') ?? '');
      const delaySeconds = asked > 0 && asked <= 9999 ? asked : account.duplicateDelaySeconds;
      const found = store.duplicateOf({
        merchantID: row.merchantID,
        action: row.action,
        type: row.type,
        amountMinor: row.amountMinor,
        currencyCode: row.currencyCode,
        transactionUnique: row.transactionUnique,
        card: row.relatedXref ?? row.cardFingerprint ?? '',
        since: now() - delaySeconds * 1000,
        afterTransactionID,
      });
      return found !== undefined;
    },
    advance(byMs: number): void {
      aheadMs += byMs;
    },
    reset(): void {
      afterTransactionID = store.lastTransactionID();
    },
  };
}

import type { TransactionType } from '@florin/shared/contracts/api-v1/transactions.ts';
import type { Database } from '../../foundation/database/database.ts';
import { type Position, type TransactionFilter, type TransactionView, transactionsOfBusiness } from './store.ts';

export type TransactionService = {
  /** Newest first, before `before`. */
  list(options: {
    readonly businessId: string;
    readonly type: TransactionType | null;
    readonly filter: TransactionFilter;
    readonly before: Position;
    readonly limit: number;
  }): Promise<TransactionView[]>;
};

/** All movements of money, read from their own records, so that no second ledger can disagree with them. */
export function transactionService({ database }: { database: Database }): TransactionService {
  return {
    list: ({ businessId, type, filter, before, limit }) =>
      database.all(transactionsOfBusiness[type ?? 'all'], {
        businessId,
        ...filter,
        beforeAt: before.at,
        beforeId: before.id,
        limit,
      }),
  };
}

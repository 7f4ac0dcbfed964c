import type { Clock, Random } from '@florin/shared/ports.ts';
import type { MerchantAccount } from './accounts.ts';
import type { callbackSender } from './callbacks.ts';
import { codes } from './codes.ts';
import { digits } from './replies.ts';
import type { Store, TransactionRow } from './store.ts';
import type { Transactions } from './transactions.ts';
import { type Fields, signedReply } from './wire.ts';

export type CallbackOptions = {
  readonly xref: string;
  /** Fields whose values differ from the record. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Signs with this instead of the merchant's secret. */
  readonly secret?: string | undefined;
};
export type UnsolicitedRefusal = 'no_such_transaction' | 'not_approved' | 'no_callback_address';

/** Actions of the gateway without a request: a second approval, or a repeated callback. */
export function unsolicited(options: {
  store: Store;
  clock: Clock;
  random: Random;
  accounts: readonly MerchantAccount[];
  transactions: Transactions;
  callbacks: ReturnType<typeof callbackSender>;
}) {
  const { store, clock, random, transactions } = options;

  function post(row: TransactionRow, { fields = {}, secret }: Omit<CallbackOptions, 'xref'>): boolean {
    const account = options.accounts.find(one => one.merchantID === row.merchantID);
    if (!account) throw new Error(`transaction ${row.xref} belongs to no account`);
    const reply: Fields = transactions.reply(account, row);
    const url = reply.get('callbackURL');
    if (url === undefined) return false;
    const content: Fields = new Map([...reply, ...Object.entries(fields)]);
    options.callbacks.send(url, signedReply(content, secret ?? account.secret));
    return true;
  }

  return {
    /** Approves an approved operation again: money moves twice, under another reference. */
    secondApproval(xref: string): { xref: string } | UnsolicitedRefusal {
      const first = store.byXref(xref);
      if (!first) return 'no_such_transaction';
      const approved = first.responseCode === codes.success || first.responseCode === codes.partlyApproved;
      if (!approved || first.approvedMinor === 0) return 'not_approved';
      const second = store.transaction(() => {
        const now = clock.now();
        const { transactionID: _, ...copied } = first;
        const sale = first.action === 'REFUND_SALE' ? store.byXref(first.relatedXref ?? '') : undefined;
        if (sale) store.update(sale.xref, { refundedMinor: sale.refundedMinor + first.amountMinor, changedAt: now });
        return store.insert({
          ...copied,
          xref: transactions.newXref(now),
          authorisationCode: digits(random, 6),
          state: 'captured',
          receivedMinor: first.approvedMinor,
          refundedMinor: 0,
          createdAt: now,
          changedAt: now,
        });
      });
      post(second, {});
      return { xref: second.xref };
    },

    /** Posts a callback about a transaction to its callback URL. */
    callback({ xref, ...changes }: CallbackOptions): UnsolicitedRefusal | undefined {
      const row = store.byXref(xref);
      if (!row) return 'no_such_transaction';
      return post(row, changes) ? undefined : 'no_callback_address';
    },
  };
}

import type { followPayments } from '@florin/shared/contracts/api-v1/payments.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState } from 'react';
import type { z } from 'zod';
import { followInBrowser } from '../platform/event-source.ts';
import { clock, timers } from '../platform/time.ts';
import { type BodyFor, callFor } from './call.ts';

type Messages = (typeof followPayments)['responses'][200]['events'];
type PaymentChange = z.infer<Messages['payment-changed']>;

/** How current the pages of a business are. */
export type Live = {
  /** Since when no change has been received; undefined while the stream is open, or before it was. */
  readonly staleSince: number | undefined;
  /** Payments that were started after the list was read. */
  readonly arrived: ReadonlySet<string>;
  readonly forgetArrived: () => void;
};

const nothing: ReadonlySet<string> = new Set();
export const LiveContext = createContext<Live>({ staleSince: undefined, arrived: nothing, forgetArrived: () => {} });

/** How current the page is, and what has come since. */
export const useLive = (): Live => use(LiveContext);

/** What a payment is shown by, and what sums up all of them. */
const ofPayment = new Set(['getPayment', 'getPaymentTimeline', 'getRefundOptions']);
const ofAll = new Set(['getOverview', 'listProblems']);
/** Sums are read again at most this often, however many payments change. */
const sumsEveryMs = 2_000;

/** Follows the payments of the business in one tab of this browser for all of them, and keeps what is shown current. */
export function useLivePayments(businessId: string, isAllowed: boolean): Live {
  const client = useQueryClient();
  const [staleSince, setStaleSince] = useState<number>();
  const [arrived, setArrived] = useState(nothing);
  useEffect(() => {
    if (!isAllowed) return;
    const keeper = cacheKeeper(client, businessId);
    const stop = followInBrowser(`/portal/api/${businessId}/payments/subscribe`, {
      events: ['open', 'payment-changed'],
      onEvent(name, data) {
        setStaleSince(undefined);
        if (name === 'open') return keeper.readAllAgain();
        const change = data as PaymentChange;
        if (change.kind === 'payment_started' || change.kind === 'payment_recorded')
          setArrived(before => new Set(before).add(change.paymentId));
        keeper.changed(change);
      },
      onLost: () => setStaleSince(before => before ?? clock.now()),
    });
    return () => {
      stop();
      keeper.stop();
      setArrived(nothing);
      setStaleSince(undefined);
    };
  }, [client, businessId, isAllowed]);
  return { staleSince, arrived, forgetArrived: () => setArrived(nothing) };
}

/** Reads again what a change concerns. Rows on screen change in place; new ones wait until they are asked for. */
function cacheKeeper(client: QueryClient, businessId: string) {
  let isFirst = true;
  let isSumDue = false;
  let cancelSums: (() => void) | undefined;
  const readSumsAgain = () => {
    isSumDue = false;
    void client.invalidateQueries({
      predicate: ({ queryKey: [business, name] }) => business === businessId && ofAll.has(String(name)),
    });
  };
  async function replaceRow(paymentId: string): Promise<void> {
    const hasRow = ({ items }: BodyFor<'listPayments'>) => items.some(({ id }) => id === paymentId);
    const lists = client.getQueriesData<BodyFor<'listPayments'>>({ queryKey: [businessId, 'listPayments'] });
    if (!lists.some(([, list]) => list !== undefined && hasRow(list))) return;
    const answer = await callFor(businessId, 'getPayment', { params: { id: paymentId } });
    if (!answer.ok) return;
    const { refunds: _refunds, ...row } = answer.body;
    client.setQueriesData<BodyFor<'listPayments'>>(
      { queryKey: [businessId, 'listPayments'] },
      list => list && { ...list, items: list.items.map(item => (item.id === paymentId ? row : item)) },
    );
  }
  return {
    /** After an interruption that was too long to resume. */
    readAllAgain(): void {
      if (!isFirst) void client.invalidateQueries({ queryKey: [businessId] });
      isFirst = false;
    },
    changed({ paymentId }: PaymentChange): void {
      void client.invalidateQueries({
        predicate: ({ queryKey: [business, name, input] }) =>
          business === businessId &&
          ofPayment.has(String(name)) &&
          (input as { params?: { id?: string } }).params?.id === paymentId,
      });
      void replaceRow(paymentId);
      if (isSumDue) return;
      isSumDue = true;
      cancelSums = timers.after(sumsEveryMs, readSumsAgain);
    },
    stop: () => cancelSums?.(),
  };
}

import type { OpenItems, RailTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import type { Notice } from '../../ipc/view.ts';

const counted = (one: string, several: string) => (count: number) => `${count} ${count === 1 ? one : several}`;

/** The words of the totals of a day in English, on the screen and on paper. */
export const enDayReport = {
  title: 'Day totals',
  day: 'Day',
  of: 'For',
  business: 'The whole business',
  asOf: 'As of',
  offlineSince: 'Offline since',
  rails: {
    card: 'Card',
    wallet: 'Apple Pay and Google Pay',
    lightning: 'Bitcoin, Lightning',
    onchain: 'Bitcoin, on chain',
  } satisfies Record<RailTotals['rail'], string>,
  inBitcoin: (rail: string) => `${rail}, priced in bitcoin`,
  sales: counted('sale', 'sales'),
  voids: counted('void', 'voids'),
  rejected: counted('sale rejected by the bank', 'sales rejected by the bank'),
  refunds: counted('refund', 'refunds'),
  tips: (count: number) => `Of which tips (${count})`,
  receivedSats: 'Received in bitcoin',
  returnedSats: 'Returned in bitcoin',
  net: 'Net',
  together: 'All together',
  nothing: 'No sales, voids or refunds',
  open: {
    title: 'Still open',
    unknown_sale: counted('sale, outcome not known', 'sales, outcome not known'),
    unknown_refund: counted('refund, outcome not known', 'refunds, outcome not known'),
    discrepancy: counted('difference for a manager to decide', 'differences for a manager to decide'),
  } satisfies Record<OpenItems['kind'] | 'title', unknown>,
  unsent: {
    title: 'On this terminal, not sent yet',
    recorded: counted('sale charged by the reader', 'sales charged by the reader'),
    completed: counted('sale completed', 'sales completed'),
    reversed: counted('sale to be given back', 'sales to be given back'),
    entries: counted('staff check', 'staff checks'),
  },
  offline: (asOf: string, since: string | null): Notice => ({
    message: since === null ? `As of ${asOf}. Offline now.` : `As of ${asOf}. Offline since ${since}.`,
    detail: 'What was taken or returned since, here or elsewhere, is not in these figures.',
  }),
  notReached: (asOf: string): Notice => ({
    message: `As of ${asOf}.`,
    detail: 'Newer figures could not be fetched. This terminal keeps trying.',
  }),
  neverReceived: {
    message: 'Could not reach the server!',
    detail: 'This terminal has no figures of this day. They appear once the connection is back.',
  } satisfies Notice,
};

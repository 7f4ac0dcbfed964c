import type { Notice } from '../ipc/view.ts';

/** The names on a receipt, and how times and amounts are formatted. */
export type DisplaySettings = {
  readonly businessName: string;
  readonly terminalName: string;
  readonly locale: string;
  readonly timeZone: string;
};

/** Of a receipt; without a terminal where the sale's record names none. */
export type ReceiptSettings = Omit<DisplaySettings, 'terminalName'> & { readonly terminalName: string | null };

/** The terminal's notices while no sale and no refund is in progress. */
export const terminalNotices = {
  salesNotReached: {
    message: 'Could not reach the server!',
    detail: 'These are the sales this terminal saw last; what happened to them elsewhere is missing.',
  },
  checkingConnection: { message: 'Checking the connection', detail: null },
  saleNotStarted: {
    message: 'Could not reach the server!',
    detail: 'No card was asked for and nothing was charged. Check the network, then charge again.',
  },
  removed: {
    message: 'This terminal is no longer enrolled',
    detail: 'It was removed from the business. A manager can enrol it again with a new code.',
  },
  removedWithSale: {
    message: 'This terminal is no longer enrolled',
    detail:
      'A sale is still being checked: do not take its payment again. Enrol this terminal again with a new code from a manager to learn its result.',
  },
} as const satisfies Record<string, Notice>;

export const cardLeftInReader = 'Remove card';
export const tamperedReader = "Reader opened: don't use it. Call support.";

export const enrolmentNotices = {
  invalid: {
    message: 'This code is not valid',
    detail: 'A code works once, for 15 minutes. Check it, or ask a manager for a new one.',
  },
  notReached: {
    message: 'Could not reach the server!',
    detail: 'Check the network of this terminal, then enter the code again. It has not been used.',
  },
  unanswered: {
    message: 'Could not reach the server!',
    detail: 'No answer came. Enter the code again; if it is refused now, ask a manager for a new one.',
  },
  slowDown: {
    message: 'Please wait a moment',
    detail: 'Too many tries at once. Enter the code again in a few seconds.',
  },
} as const satisfies Record<string, Notice>;

import type { Notice } from '../../ipc/view.ts';

const again = 'Then try again.';

/** The words of the end of a reader's day in English. */
export const enReaderDay = {
  byReader: 'By the card reader',
  byRecords: 'By the records',
  agrees: {
    message: 'The totals agree',
    detail: 'The card reader closed its day. Its totals are those of its recorded sales, voids and refunds.',
  } satisfies Notice,
  differs: (amount: string): Notice => ({
    message: `The totals differ by ${amount}`,
    detail: 'The card reader closed its day. Keep its receipt: a manager has to compare it with the sales of that day.',
  }),
  first: {
    message: 'The card reader closed its day',
    detail:
      'It is its first end of day here, so there is nothing to compare its totals with. The next one is compared.',
  } satisfies Notice,
  closed_before: {
    message: 'The card reader had closed its day before',
    detail:
      'The reader closed its day and its totals were not received, so they cannot be compared: look at its receipt. What it took since then agrees.',
  } satisfies Notice,
  not_received: {
    message: 'The card reader did not say whether it closed its day',
    detail: 'Wait until it is ready, and close its day again: its totals then show it. No sale is lost.',
  } satisfies Notice,
  waiting: {
    message: 'The card reader closed its day',
    detail: 'Its totals are stored here. They are sent and compared as soon as the server is reached.',
  } satisfies Notice,
  refused: {
    busy: { message: 'The card reader is busy', detail: `Its day was not closed. Wait until it is ready. ${again}` },
    pending: {
      message: 'The card reader still holds a result',
      detail: 'Its day was not closed. Wait a moment until it has been read, then try again.',
    },
    not_connected: {
      message: 'The card reader is not connected',
      detail: `Its day was not closed. Check its cable and whether it is switched on. ${again}`,
    },
    other: {
      message: 'The card reader did not close its day',
      detail: 'It refused. Look at its display; if it refuses again, call support.',
    },
  } satisfies Record<string, Notice>,
};

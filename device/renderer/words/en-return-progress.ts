/** The words while a void or refund is sent or its outcome looked up, in English. */
export const enReturnProgress = {
  voiding: 'Voiding the sale',
  refunding: 'Refunding the card',
  sendingDetail: 'Please wait.',
  checking: { CANCEL: 'Wait: don’t void again', REFUND_SALE: 'Wait: don’t refund again' },
  checkingDetail: 'The answer was lost on the way, so it is being looked up. Nothing is sent again.',
  /** Without a connection, in place of what the bank is waited for. */
  unreachable: {
    CANCEL:
      'There is no connection, so it is not known yet whether the sale was voided. This goes on by itself once the connection is back.',
    REFUND_SALE:
      'There is no connection, so it is not known yet whether the money was returned. This goes on by itself once the connection is back.',
  },
  late: [
    { afterSeconds: 5, words: 'Still waiting for the bank…' },
    { afterSeconds: 20, words: 'The bank is taking longer than usual.' },
  ],
  noCancel: 'This can no longer be stopped.',
  leave: 'Leave this screen',
};

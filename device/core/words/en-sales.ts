const nothingCharged = 'Nothing was charged.';
const notAskedNotCharged = 'The bank was not asked and nothing was charged.';
const cancelledUnanswered = 'The sale was cancelled before the bank answered.';
const untilThen = 'Until then the card may be charged: wait before you take the payment again.';
const chargedTwice = 'If you take the payment again, the customer is charged twice until the refund arrives.';
const notAgain = 'Do not take the payment again.';

/** The sentences of sales in English. */
export const enSales = {
  /** The result of a card sale: what happened, what it means for the customer, what to do next. */
  results: {
    approved: { message: 'Approved', detail: null },
    approvedDespiteCancel: {
      message: 'Approved',
      detail:
        'The card was charged before the sale could be cancelled. To give the money back, void or refund the sale under Recent sales.',
    },
    approvedWithoutReader: {
      message: 'Approved',
      detail: (amount: string) =>
        `The card was charged: hand over the goods. The reader did not confirm it, so do not charge ${amount} again; if the customer disagrees, void this sale.`,
    },
    declined: { message: 'Declined', detail: `The bank declined the card. ${nothingCharged}` },
    bankFailed: { message: 'Payment failed', detail: `The bank could not handle the payment. ${nothingCharged}` },
    cardRefused: { message: 'Declined', detail: `The card was not accepted. ${nothingCharged}` },
    cardRemoved: { message: 'Cancelled', detail: `Card removed too soon. ${nothingCharged}` },
    cancelledByCustomer: {
      message: 'Cancelled',
      detail: `The customer cancelled, or took the card out. ${nothingCharged}`,
    },
    cancelledByStaff: { message: 'Cancelled', detail: `You cancelled the sale. ${nothingCharged}` },
    cancelledUnanswered: { message: 'Not paid', detail: `${cancelledUnanswered} ${nothingCharged}` },
    noCard: { message: 'Timed out', detail: `No card, or no PIN, in time. ${nothingCharged}` },
    noReader: { message: 'No card reader', detail: `The reader did not answer. ${nothingCharged}` },
    readerOpened: { message: 'Reader opened: don’t use it', detail: `${nothingCharged} Call support.` },
    readerEmpty: { message: 'Reader battery is empty', detail: nothingCharged },
    readerDisconnected: { message: 'Reader disconnected', detail: nothingCharged },
    readerBusy: { message: 'The reader is busy', detail: nothingCharged },
    readerNotAvailable: { message: 'The reader is not available', detail: nothingCharged },
    notReached: { message: 'Could not reach the server!', detail: notAskedNotCharged },
    /** Follows the service's reason, if it gave one. */
    refused: { message: 'Payment refused', detail: notAskedNotCharged },
    restarted: { message: 'Interrupted', detail: `The terminal restarted. ${nothingCharged}` },
    voided: {
      message: 'Not charged',
      detail: (amount: string) => `${amount} was voided. The customer does not pay.`,
    },
    readerForgot: {
      message: 'Wait: don’t charge again',
      detail: (code: string) =>
        `The reader restarted and no longer knows this payment. The card may have been charged. Call support and give the code ${code}.`,
    },
    disagree: {
      message: 'Do not hand over the goods yet',
      detail: (code: string) =>
        `The reader says approved, but the service does not know this sale. ${notAgain} Call support and give the code ${code}.`,
    },
    timedOut: { message: 'Timed out', detail: `The time for this sale was over. ${nothingCharged}` },
    cancelledBySoftware: {
      message: 'Cancelled',
      detail: (requestedBy: string) => `${requestedBy} cancelled the sale. ${nothingCharged}`,
    },
  },
  /** What to do before the payment is taken again, and where. */
  again: {
    here: {
      now: 'Try again.',
      other_card: 'Ask for another card, then try again.',
      cable: 'Check the cable, then try again.',
      cable_and_power: 'Check its cable and power, then try again.',
      network: 'Check the network, then try again.',
      battery: 'Charge the reader, then try again.',
      moment: 'Wait a moment, then try again.',
    },
    from: {
      now: (software: string) => `Start the sale again from ${software}.`,
      other_card: (software: string) => `Ask for another card, then start the sale again from ${software}.`,
      cable: (software: string) => `Check the cable, then start the sale again from ${software}.`,
      cable_and_power: (software: string) => `Check its cable and power, then start the sale again from ${software}.`,
      network: (software: string) => `Check the network, then start the sale again from ${software}.`,
      battery: (software: string) => `Charge the reader, then start the sale again from ${software}.`,
      moment: (software: string) => `Wait a moment, then start the sale again from ${software}.`,
    },
  },
  /** Why a sale that the bank had approved was reversed. */
  reversed: {
    partly: {
      message: 'Declined',
      detail: (amount: string) => `The bank would not pay all of ${amount} with this card.`,
    },
    unanswered: { message: 'Not paid', detail: cancelledUnanswered },
    declined: { message: 'Declined', detail: 'The card refused after the bank had approved.' },
    cancelled: { message: 'Cancelled', detail: 'The payment was cancelled after the bank had approved.' },
    timed_out: { message: 'Timed out', detail: 'The reader gave up after the bank had approved.' },
    failed: { message: 'Not completed', detail: 'The payment was not completed.' },
  },
  /**
   * What a reversal means for the customer and what to do next. `message` is null if the sale's own outcome is the
   * better title. `what` is the amount, or null for the part that the bank approved.
   */
  reversals: {
    not_needed: { message: null, detail: () => nothingCharged },
    voided: {
      message: null,
      detail: (what: string | null) =>
        `${what ?? 'The part that the bank approved'} was given back to the card. The customer does not pay.`,
    },
    refunded: {
      message: 'Charged and refunded',
      detail: (what: string | null) =>
        `${what ?? 'The part that the bank approved'} was charged and refunded in full; the refund usually reaches the card within one to five working days.`,
    },
    not_acknowledged: {
      message: 'Not paid',
      detail: (what: string | null) =>
        `Keep the goods. If the bank took ${what ?? 'the part that the bank approved'}, it goes back to the card once the service has confirmed it. The terminal keeps trying. ${untilThen}`,
    },
    awaiting_outcome: {
      message: 'Not paid',
      detail: (what: string | null) =>
        `Keep the goods. It is not known yet whether the bank took ${what ?? 'the part that the bank approved'}: if it did, the money goes back to the card by itself. The customer can pay with another card or in cash now. Their bank may show the first payment as pending for some days.`,
    },
    void_pending: {
      message: 'Giving the money back',
      detail: (what: string | null) =>
        `It is not certain yet that ${what ?? 'the part that the bank approved'} goes back to the card. The service keeps trying. ${untilThen}`,
    },
    awaiting_settlement: {
      message: 'Charged, refund to come',
      detail: (what: string | null) =>
        `${what ?? 'The part that the bank approved'} was charged and it is too late to void it. The service refunds it in full as soon as it has settled, usually within a day. ${chargedTwice}`,
    },
    refund_pending: {
      message: 'Charged, refund to come',
      detail: (what: string | null) =>
        `${what ?? 'The part that the bank approved'} was charged and a full refund was requested; the bank has not answered yet. The service keeps asking. ${chargedTwice}`,
    },
    declined: {
      message: 'The card was charged',
      detail: (what: string | null) =>
        `The bank refused to give ${what ?? 'the part that the bank approved'} back. ${notAgain} Hand over the goods, or ask a manager to return the money.`,
    },
    refused: {
      message: 'The card was charged',
      detail: (what: string | null) =>
        `The service has this sale as completed, so ${what ?? 'the part that the bank approved'} was not given back. ${notAgain} To give it back, void or refund the sale under Recent sales.`,
    },
  },
  /** A sale that ended before any money was asked for, looked up later: what it means, what happened, what to do now. */
  uncharged: {
    byCard: 'The card was not charged',
    inBitcoin: 'Nothing was paid',
    why: {
      staff: 'The sale was cancelled before the bank was asked.',
      customer: 'The customer cancelled, or took the card out.',
      no_card: 'No card, or no PIN, in time.',
      card_refused: 'The card was not accepted.',
      reader_not_found: 'The reader did not answer.',
      reader_not_available: 'The reader was not available.',
      service_not_reached: 'The server could not be reached, so the bank was not asked.',
      service_refused: 'The payment was refused before the bank was asked.',
      interrupted: 'The sale was interrupted before the bank was asked.',
      bitcoin_cancelled: 'The sale was cancelled before a code was shown.',
      bitcoin_withdrawn: 'The sale was ended elsewhere before a code was shown.',
      bitcoin_refused: 'Bitcoin was not possible.',
    },
    next: 'Go back to the list to see whether it was paid later. If not, take the payment again.',
  },
  notCompleted: 'Not completed',
  /** Added to the result of a sale whose reader asks for a signature. */
  asksSignature: {
    onPaper: 'The customer signs the slip from the printer.',
    elsewhere: 'The customer must sign.',
    compare: 'Compare the signature with the one on the card. If it does not match, void the sale.',
  },
  /** Why a sale cannot be cancelled now. */
  notCancellable: {
    cancelling: 'Cancelling: the reader is being told.',
    authorising: 'The payment is being authorised, so the sale can no longer be cancelled.',
    reversing: 'The approval is being taken back.',
    endingUnanswered: 'The bank has not answered yet, so the reader is ending without it.',
    connectionLost: 'The connection was lost, so the sale can no longer be cancelled.',
    answered: 'The bank has answered, so the sale can no longer be cancelled.',
    approved: `The bank approved. The terminal is waiting for the reader: check its cable if it does not respond. ${notAgain}`,
    unanswered: 'The bank has not answered yet. One moment.',
    maybeCharged: `The card may have been charged. It can take about ten minutes, or longer while the bank cannot be reached. The customer can wait or leave contact details. ${notAgain}`,
    maybeChargedByReader: `The card may have been charged. The terminal keeps asking until it knows. The customer can wait or leave contact details. ${notAgain}`,
    checking: 'The terminal is finding out the result of this sale.',
  },
  bitcoinResults: {
    paid: { message: 'Approved', detail: 'The bitcoin has arrived.' },
    paidTooMuch: {
      message: 'Approved',
      detail: (excess: string) =>
        `The bitcoin has arrived, ${excess} more than asked. What is too much is to be returned: tell a manager.`,
    },
    expired: {
      message: 'Timed out',
      detail:
        'No payment arrived in time. Should one come later, it is kept for the customer: tell a manager if they ask.',
    },
    underpaid: {
      message: 'Not paid in full',
      detail: (received: string, asked: string) =>
        `Only ${received} of ${asked} arrived in time. Do not hand over the goods for it: it is to be returned: tell a manager.`,
    },
    cancelled: { message: 'Cancelled', detail: 'The sale was cancelled. Nothing was paid.' },
    withdrawn: { message: 'Cancelled', detail: 'The sale was ended elsewhere. Nothing was paid.' },
    refused: {
      message: 'Bitcoin is not possible',
      /** `why` is the service's reason; null if it gave none. */
      detail: (why: string | null) => `${why ?? 'The service refused it'}. Nothing was paid.`,
    },
  },
};

import type { SameWords } from '@florin/shared/languages.ts';
import type { Authorised, Header, SaleStage } from '../../ipc/view.ts';
import type { BitcoinWords } from '../customer/customer-messages.ts';

/** All texts of the renderer for staff, in English. Notices, receipts and reasons come from the core, in the same language. */
export const en = {
  product: 'Florin',
  notEnrolled: 'Not enrolled',
  terminalStatus: 'Terminal status',
  back: 'Back',
  newSale: 'New sale',
  done: 'Done',
  viewSale: 'View sale',
  working: 'Working…',
  notNow: 'That cannot be done just now.',
  saleStarting: (requestedBy: string) => `${requestedBy} is starting a sale.`,
  tryAgain: (amount: string) => `Try again ${amount}`,
  elapsed: 'Time waited',
  /** The button that changes the language of the terminal. */
  language: 'Language',

  starting: { title: 'Starting…', detail: 'Looking up where this terminal left off.' },
  connecting: {
    title: 'Connecting to this terminal…',
    detail: 'The screen lost its connection to the terminal and keeps trying.',
    safe: "This screen does not know whether the last payment or refund went through. Don't repeat it until this screen is back.",
    late: [{ afterSeconds: 15, words: 'This takes long. Ask a manager to start the terminal again.' }],
  },
  refusedLink: {
    title: 'This screen is out of date',
    detail: 'Close it and open the terminal again.',
    safe: "This screen does not know whether the last payment or refund went through. Don't repeat it before you have looked under Recent sales.",
  },
  unreadable: {
    title: 'This screen cannot be shown',
    detail: 'Load it again. If that does not help, ask a manager to restart the terminal.',
    safe: "Don't repeat the last payment or refund before you have seen it under Recent sales.",
    again: 'Load the screen again',
  },

  service: {
    online: 'Online',
    offline: 'Offline',
    connecting: 'Connecting…',
  } satisfies Record<Header['service'], string>,
  reader: {
    searching: 'Looking for reader',
    connecting: 'Connecting reader',
    ready: 'Reader ready',
    busy: 'Reader in use',
    lost: 'Reader lost',
    incompatible: 'Reader not supported',
  } satisfies Record<Header['reader']['connection'], string>,
  battery: (percent: number) => `Battery ${percent}%`,
  waitingToSync: (count: number) => `${count} to send`,
  waitingToSyncSpoken: (count: number) =>
    count === 1 ? '1 entry waits to be sent to the service' : `${count} entries wait to be sent to the service`,
  offline: {
    title: "Offline: cards can't be taken.",
    detail: 'No voids or refunds. Recent sales can be looked up.',
    noReturns: 'Offline: nothing can be given back.',
  },

  enrolment: {
    title: 'Enrol this terminal',
    detail: 'A manager makes the code. It works once, for 15 minutes.',
    code: 'Enrolment code',
    submit: 'Enrol terminal',
    busy: 'Enrolling…',
  },

  keyboard: {
    title: 'Keyboard',
    shift: 'Shift',
    shiftLock: 'Caps lock',
    symbols: 'Symbols',
    symbolsShort: '#+=',
    letters: 'Letters',
    lettersShort: 'abc',
    space: 'Space',
    deleteLast: 'Delete last character',
  },

  keypad: {
    title: 'Amount to charge',
    charge: (amount: string) => `Charge ${amount}`,
    chargeNothing: 'Charge',
    bitcoin: 'Bitcoin',
    recentSales: 'Recent sales',
    kioskMode: 'Kiosk mode',
    keys: 'Amount keys',
    clear: 'Clear',
    deleteLast: 'Delete last digit',
    tooLong: 'That is the largest amount a card can be charged.',
    quickAmounts: 'Quick amounts',
    add: (amount: string) => `Add ${amount}`,
    confirm: {
      title: 'Is this amount right?',
      detail: (limit: string) => `It is more than ${limit}. Read it to the customer before you charge it.`,
    },
  },

  sale: {
    label: 'Sale',
    steps: ['Card', 'Bank', 'Result'] as const,
    progress: 'Progress of the sale',
    cancel: 'Cancel sale',
    cancelling: 'Cancelling…',
    cancellingDetail: 'Waiting for the reader to stop.',
    stopWaiting: 'Stop waiting',
    unanswered: {
      title: 'The bank has not answered yet',
      detail:
        'You can wait, or stop waiting and keep the goods. If the bank took the money, it goes back to the card by itself once this terminal is online.',
      late: [{ afterSeconds: 8, words: 'Still asking the bank…' }],
    },
    cannotCancel: 'The sale can no longer be cancelled.',
    requestedBy: (name: string) => `Requested by ${name}`,
  },
  stages: {
    starting: { title: 'Starting the sale', detail: 'One moment.', late: [] },
    waiting_for_reader: {
      title: 'Waiting for the reader',
      detail: 'The sale starts as soon as it answers.',
      late: [{ afterSeconds: 5, words: 'Check that the reader is switched on and its cable is in.' }],
    },
    remove_previous_card: {
      title: 'Take out the previous card first',
      detail: 'The sale starts once the reader is empty.',
      late: [],
    },
    present_card: {
      title: 'Present card',
      detail: 'Tap, insert or swipe on the reader.',
      late: [{ afterSeconds: 30, words: 'Still waiting for a card.' }],
    },
    insert_card: {
      title: 'Insert card',
      detail: 'This card cannot be tapped for this amount: insert its chip.',
      late: [{ afterSeconds: 30, words: 'Still waiting for a card.' }],
    },
    card_inserted: { title: 'Card inserted', detail: 'Leave the card in the reader.', late: [] },
    card_tapped: { title: 'Card tapped', detail: 'Reading the card.', late: [] },
    card_swiped: { title: 'Card swiped', detail: 'Reading the card.', late: [] },
    choose_application: {
      title: 'Choose on the reader',
      detail: 'This card offers more than one way to pay. The customer picks one.',
      late: [],
    },
    enter_pin: {
      title: 'Enter PIN',
      detail: 'The customer types their PIN on the reader.',
      late: [{ afterSeconds: 30, words: 'Still waiting for the PIN.' }],
    },
    wrong_pin: { title: 'Wrong PIN', detail: 'The customer can try again on the reader.', late: [] },
    authorising: {
      title: 'Asking the bank',
      detail: 'Please wait.',
      late: [
        { afterSeconds: 5, words: 'Still waiting for the bank…' },
        { afterSeconds: 20, words: 'The bank is taking longer than usual.' },
      ],
    },
    finishing: {
      title: 'Finishing on the reader',
      detail: 'The result comes in a moment.',
      late: [{ afterSeconds: 8, words: 'Still waiting for the reader…' }],
    },
    checking: {
      title: "Wait: don't charge again",
      detail: 'The connection was lost. The terminal is finding out whether the card was charged.',
      late: [
        { afterSeconds: 8, words: 'Still checking…' },
        { afterSeconds: 60, words: 'Still checking. The answer will show here.' },
      ],
    },
    reversing: {
      title: 'Taking the payment back',
      detail: 'The sale was not completed, so the bank is told to release the money.',
      late: [{ afterSeconds: 8, words: 'Still waiting for the bank…' }],
    },
    remove_card: {
      title: 'Remove card',
      detail: 'Ask the customer to take their card. The result comes in a moment.',
      late: [{ afterSeconds: 6, words: 'Remind the customer to take their card.' }],
    },
  } satisfies Record<
    SaleStage,
    { title: string; detail: string; late: readonly { afterSeconds: number; words: string }[] }
  >,

  bitcoin: {
    stages: {
      requesting: { title: 'Creating the code', detail: 'This takes a moment.' },
      waiting: { title: 'Scan to pay', detail: 'The customer scans it with any Bitcoin wallet.' },
      seen: {
        title: 'Payment found, waiting for confirmation',
        detail:
          'It counts once it is in a block: about ten minutes, sometimes an hour. Do not hand over the goods before, unless you take that risk. You can leave this screen: the sale continues without it.',
      },
      seen_part: {
        title: 'Not the whole amount is on its way',
        detail:
          'Do not hand over the goods, and ask the customer to stay. Once the part is in a block, about ten minutes, this screen asks for the rest. If the time is up by then, the part is to be returned: tell a manager.',
      },
      checking: {
        title: 'Checking',
        detail:
          'Time is up. Checking whether a payment arrived. You can leave this screen: the check continues without it.',
      },
      cancelling: { title: 'Cancelling…', detail: 'The code is being withdrawn. One moment.' },
      leaving: { title: 'Switching to card', detail: 'The code is being withdrawn. One moment.' },
    },
    problems: {
      node_unreachable: {
        title: 'The bitcoin node does not answer',
        detail: 'This terminal tries again every few seconds. Nothing was paid.',
      },
      rate_unavailable: {
        title: 'The price of bitcoin is not known',
        detail: 'This terminal tries again every few seconds. Nothing was paid.',
      },
      not_reached: {
        title: 'Offline',
        detail: 'The code is shown again once the connection is back. What is paid meanwhile is not lost.',
      },
    },
    notWithdrawn: {
      paid: 'A payment was found, so it can no longer be cancelled.',
      node_unreachable:
        'The node does not answer, so the customer may still be paying. The card is possible once it does; the sale can be cancelled.',
    },
    part: (received, rest) => `${received} arrived. The other ${rest} are still to be paid.`,
    partSeen: (sent, total, rest) => `Only ${sent} of ${total} were sent: ${rest} are missing.`,
    leftToPay: 'Still to pay',
    total: total => `Total ${total}`,
    codeValidFor: time => `Code valid for ${time}`,
    code: 'Code to pay with a Bitcoin wallet',
    payByCard: 'Pay by card',
    payInBitcoin: 'Pay with bitcoin',
  } satisfies BitcoinWords,

  receipt: 'Receipt',
  scanReceipt: 'Scan to take the receipt with you',
  showReceipt: 'Receipt',
  receiptCode: 'Receipt',
  print: { possible: 'Print', printing: 'Printing…', printed: 'Print copy', failed: 'Print again' },
  close: 'Close',
  showDetails: 'Details',
  receiptCopy: 'Copy of the receipt',
  recentSales: {
    title: 'Recent sales',
    empty: 'No sales yet',
    emptyDetail: 'Sales on the terminals of this business appear here, newest first.',
    loading: 'Fetching sales…',
    more: 'Show earlier sales',
    today: 'Today',
    noCard: 'No card read',
    paidWith: { lightning: 'Bitcoin, Lightning', onchain: 'Bitcoin, on chain' },
    action: { void: 'Can be voided', refund: 'Can be refunded', none: null },
    refunded: (amount: string) => `${amount} refunded`,
    refundPending: (amount: string) => `${amount} refund being checked`,
  },
  status: {
    pending: 'Checking',
    declined: 'Declined',
    failed: 'Not taken',
    unsettled: 'Paid',
    settled: 'Settled',
    cancelled: 'Voided',
    settlement_rejected: 'Rejected by the bank',
    partly_refunded: 'Part refunded',
    refunded: 'Refunded',
  },
  saleDetail: {
    title: 'Sale',
    invoice: 'Invoice',
    takenAt: 'Taken',
    card: 'Card',
    paidWith: 'Paid with',
    bitcoin: 'Received',
    entryMode: 'Read by',
    authorisationCode: 'Authorisation code',
    declineMessage: "Bank's answer",
    failureMessage: 'Reason',
    refunded: 'Refunded',
    pending: 'Refund being checked',
    voided: 'Voided',
    voidPending: 'Void being checked',
    earlier: 'Earlier refunds',
    remaining: 'Can still be refunded',
    void: 'Void sale',
    voidHint: 'Not settled yet: a void cancels it in full and the customer is not charged.',
    refund: 'Refund',
    refundHint: (amount: string) => `Settled: ${amount} can still be refunded.`,
    nothing: {
      pending: 'The bank’s answer is not known yet. It is being checked.',
      declined: 'No money was taken, so there is nothing to return.',
      failed: 'No money was taken, so there is nothing to return.',
      cancelled: 'Voided in full: nothing can be refunded.',
      refunded: 'Refunded in full: nothing more can be refunded.',
      other: 'Nothing can be returned on this sale just now.',
      bitcoin: 'Bitcoin is returned by hand. Tell a manager, who records the refund.',
      refundPending: 'A refund is still being checked. The rest can be refunded once its outcome is known.',
      settling: 'The bank is settling this sale. It can be refunded after that.',
      settlingUntil: (time: string) => `The bank is settling this sale. Look again at ${time} to refund it.`,
      settlingSoon: 'The bank is settling this sale. Look again in a minute to refund it.',
      settlementRejected: 'The bank did not settle this sale, so it cannot be refunded. Call support.',
    },
  },
  /** Who returned money if no staff member had to authorise it. */
  returnedBy: {
    staff: (name: string) => `by ${name}`,
    reversal: 'automatically',
    terminal: 'at a terminal',
    portal: 'in the portal',
    api: 'by another system',
  },
  entryModes: { chip: 'Chip', contactless: 'Contactless', swipe: 'Swipe' } as Record<string, string>,
  /** Cards declined without a name from the bank. */
  unnamedCards: { chip: 'Chip card', contactless: 'Contactless card', swipe: 'Swiped card' } as Record<string, string>,
  maskedCard: (lastFour: string) => `•••• ${lastFour}`,
  maskedCardSpoken: (lastFour: string) => `ending ${lastFour}`,

  refundAmount: {
    title: 'Amount to refund',
    of: (amount: string) => `${amount} can still be refunded`,
    all: (amount: string) => `All of it: ${amount}`,
    rest: (amount: string) => `The rest: ${amount}`,
    tooMuch: (amount: string) => `Refund exceeds original sale amount: only ${amount} can still be refunded.`,
    submit: (amount: string) => `Refund ${amount}`,
    submitNothing: 'Refund',
    sale: (invoice: string) => `Sale ${invoice}`,
  },
  confirmReturn: {
    voidTitle: 'Void this sale?',
    voidDetail: 'The sale is cancelled in full and the customer is not charged. This cannot be undone.',
    void: (amount: string) => `Void ${amount}`,
    refundTitle: 'Refund this sale?',
    refundDetail: 'The money goes back to the card that paid. This cannot be undone.',
    refund: (amount: string) => `Refund ${amount}`,
  },
  returning: {
    CANCEL: 'Void',
    REFUND_SALE: 'Refund',
    ENTER_KIOSK: 'Kiosk mode',
    LEAVE_KIOSK: 'Kiosk mode',
  } satisfies Record<Authorised['kind'], string>,
  cancelsItself: (left: string) => `Cancels itself in ${left}`,
  modeChange: {
    ENTER_KIOSK: {
      title: 'Begin kiosk mode',
      detail: 'Customers pay by themselves, and software starts each sale. A manager begins it.',
    },
    LEAVE_KIOSK: { title: 'Leave kiosk mode', detail: 'A manager leaves it with their staff ID and password.' },
  },
  staffId: {
    title: 'Your staff ID',
    submit: 'Continue',
    busy: 'Checking…',
    keys: 'Staff ID keys',
  },
  password: {
    title: (name: string) => `Password for ${name}`,
    show: 'Show',
    hide: 'Hide',
    showLabel: 'Show password',
    submit: {
      CANCEL: 'Void sale',
      REFUND_SALE: 'Refund',
      ENTER_KIOSK: 'Begin kiosk mode',
      LEAVE_KIOSK: 'Leave kiosk mode',
    } satisfies Record<Authorised['kind'], string>,
    busy: 'Checking…',
  },
  newPassword: {
    title: 'Replace your temporary password',
    detail: (name: string) => `${name}, it was for the first time only. Choose one that only you know.`,
    label: 'New password',
    repeat: 'New password again',
    rules: 'What it needs',
    long: '8 to 128 characters',
    notStaffId: 'Not your staff ID',
    same: 'The same both times',
    met: 'done',
    submit: 'Save and continue',
    next: 'Next',
    busy: 'Saving…',
    minimumLength: 8,
    maximumLength: 128,
  },
  lockedOut: {
    until: (time: string) => `Locked out until ${time}`,
    left: 'Time left',
    over: 'You can try again now.',
    overDetail: 'Go back and enter your staff ID.',
  },
  returnProgress: {
    voiding: 'Voiding the sale',
    refunding: 'Refunding the card',
    sendingDetail: 'Please wait.',
    checking: { CANCEL: "Wait: don't void again", REFUND_SALE: "Wait: don't refund again" },
    checkingDetail: 'The answer was lost on the way, so it is being looked up. Nothing is sent again.',
    late: [
      { afterSeconds: 5, words: 'Still waiting for the bank…' },
      { afterSeconds: 20, words: 'The bank is taking longer than usual.' },
    ],
    noCancel: 'This can no longer be stopped.',
    leave: 'Leave this screen',
  },
};

/** All texts of the renderer for staff. */
export type StaffText = SameWords<typeof en>;

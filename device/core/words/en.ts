import { managerRequiredMessage } from '@florin/shared/contracts/device-v1/mode.ts';
import { staffRefusalMessages } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { SameWords } from '@florin/shared/languages.ts';
import { enDayReport } from './en-day-report.ts';
import { enReaderDay } from './en-reader-day.ts';
import { enSales } from './en-sales.ts';

const notReached = 'Could not reach the server!';
const noMoneyMoved = 'No money moved.';
const notEnrolled = 'This terminal is no longer enrolled';
const support = 'Call support.';
const thisStaffMember = 'This staff member';

/** Every sentence of the core in English; the other languages have the same. The specification's messages are verbatim. */
export const en = {
  /** A sentence of its own in the notices below, which `withoutMoney` leaves out. */
  noMoneyMoved,

  /** The terminal's notices while no sale and no refund is in progress. */
  terminal: {
    salesNotReached: {
      message: notReached,
      detail: 'These are the sales this terminal saw last; what happened to them elsewhere is missing.',
    },
    searchNotReached: {
      message: notReached,
      detail: 'Sales can be searched only with a connection. The search runs again once it is back.',
    },
    notOfASale: {
      message: 'This code is not of a receipt',
      detail: 'Nothing was charged. To look for a sale by it, scan it under Recent sales.',
    },
    checkingConnection: { message: 'Checking the connection', detail: null },
    diskFull: {
      message: 'The disk of this terminal is full',
      detail: 'Nothing was charged. New sales wait until there is space again: call support.',
    },
    saleNotStarted: {
      message: notReached,
      detail: 'No card was asked for and nothing was charged. Check the network, then charge again.',
    },
  },
  /** Why a receipt was not printed. The payment stands in every case. */
  printing: {
    /** What the customer signs, and the business keeps. */
    merchantCopy: {
      title: 'Merchant copy',
      again: 'Copy',
      agree: 'I agree to pay the amount above.',
      signature: 'Customer’s signature',
    },
    /** What is wrong with the printer, and what to do about it. */
    troubles: {
      out_of_paper: { message: 'The printer is out of paper', remedy: 'Put in a new roll' },
      cover_open: { message: 'The cover of the printer is open', remedy: 'Close it' },
      not_reachable: { message: 'The printer does not answer', remedy: 'Check that it is switched on and connected' },
      error: { message: 'The printer reports an error', remedy: 'Look at the printer' },
    },
    printAgain: (remedy: string) => `${remedy}, then print again.`,
    mayHavePrinted: (remedy: string) =>
      `${remedy}. If the receipt does not come out then, print it again: it is marked as a copy.`,
    reasons: {
      not_reached: {
        message: notReached,
        detail: 'The payment is not affected. Print the receipt once the terminal is online again.',
      },
      not_ready: { message: 'The receipt is not ready yet', detail: 'Wait a moment, then print again.' },
      restarted: {
        message: 'Was the receipt printed?',
        detail: 'The terminal restarted meanwhile. If it did not come out, print it again: it is marked as a copy.',
      },
    },
  },
  /** Why a receipt was not sent by e-mail. The payment stands in every case. */
  receiptEmail: {
    notAnAddress: { message: 'This is not an e-mail address', detail: 'Check it, and send it again.' },
    notReached: {
      message: notReached,
      detail: 'The receipt was not sent. The payment is not affected: send it once the terminal is online again.',
    },
    unanswered: {
      message: 'Was the receipt sent?',
      detail: 'No answer came. Send it again: within a minute it does not arrive twice.',
    },
    notReady: { message: 'The receipt is not ready yet', detail: 'Wait a moment, then send it again.' },
    tooMany: {
      message: 'This receipt was sent often enough',
      detail: 'It cannot be sent again today, or to another address. The customer can scan its code.',
    },
    slowDown: { message: 'Please wait a moment', detail: 'Too many tries at once. Send it again in a few seconds.' },
    notSent: { message: 'The receipt was not sent', detail: 'The customer can scan its code instead.' },
  },
  enrolment: {
    removed: {
      message: notEnrolled,
      detail: 'It was removed from the business. A manager can enrol it again with a new code.',
    },
    removedWithSale: {
      message: notEnrolled,
      detail:
        'A sale is still being checked: do not take its payment again. Enrol this terminal again with a new code from a manager to learn its result.',
    },
    invalid: {
      message: 'This code is not valid',
      detail: 'A code works once, for 15 minutes. Check it, or ask a manager for a new one.',
    },
    notReached: {
      message: notReached,
      detail: 'Check the network of this terminal, then enter the code again. It has not been used.',
    },
    unanswered: {
      message: notReached,
      detail: 'No answer came. Enter the code again; if it is refused now, ask a manager for a new one.',
    },
    slowDown: {
      message: 'Please wait a moment',
      detail: 'Too many tries at once. Enter the code again in a few seconds.',
    },
  },
  modes: {
    notReached: {
      message: notReached,
      detail: 'Kiosk mode begins and ends only while the server can be reached. Check the network, then try again.',
    },
    managerRequired: {
      message: managerRequiredMessage,
      detail: 'A manager enters their staff ID, or an administrator changes the mode of this terminal.',
    },
  },
  /** What staff must do about the reader. */
  reader: {
    card_left: 'Remove card',
    tampered: 'Reader opened: don’t use it. Call support.',
    battery_low: 'Reader battery is low',
    in_use: 'The reader is in use by another program',
    no_permission: 'This computer does not allow access to the reader',
    failed: 'The reader could not be opened',
    silent: 'The reader does not answer',
    incompatible: 'The reader needs other software than this terminal has',
    echo: 'The reader cable sends everything back',
  },
  /** Records that do not reach the service. */
  alerts: {
    refusedEntry: { message: 'The service refused a record of this terminal', detail: `It is kept here. ${support}` },
    damagedEntry: { message: 'A record of this terminal cannot be read', detail: `It is kept here. ${support}` },
    refusedReport: {
      message: 'The service refused a report about a sale',
      detail: `It is sent again until it is taken. ${support}`,
    },
    diskFull: { message: 'The disk of this terminal is full', detail: `It takes no new sales. ${support}` },
    storageRebuilt: {
      message: 'The storage was damaged and repaired',
      detail: 'Before you charge again, look under Recent sales.',
    },
    elsewhere: {
      message: 'Records of another business are waiting',
      detail: 'They are delivered when this terminal is enrolled at that business again.',
    },
    count: (count: number) => `There are ${count} of them.`,
  },
  passwords: {
    tooShort: { message: 'Too short', detail: 'Choose a password of at least 8 characters.' },
    tooLong: { message: 'Too long', detail: 'Choose a password of at most 128 characters.' },
    staffNumber: {
      message: 'Not your staff ID',
      detail: 'Your staff ID is known to others. Choose something only you know.',
    },
    different: { message: 'The two passwords differ', detail: 'Type the same new password in both fields.' },
  },

  /** `message` is the specification's text; `detail` says what it means for the customer and what to do next. */
  notices: {
    notReached: {
      message: notReached,
      detail: `${noMoneyMoved} Check the network, then enter the password again.`,
    },
    notReachedAtStaffId: { message: notReached, detail: `${noMoneyMoved} Check the network, then try again.` },
    notReachedUnprotected: {
      message: notReached,
      detail: `${noMoneyMoved} Check the network, then start again from the sale.`,
    },
    incorrectStaffId: {
      message: staffRefusalMessages.staff_unknown,
      detail: 'There is no staff member with this number at this business. Check it and type it again.',
    },
    staffIdNotKnownHere: {
      message: notReached,
      detail:
        'This terminal does not know this staff ID and cannot ask about it now. Check the number and the network.',
    },
    storageChanged: {
      message: staffRefusalMessages.staff_locked,
      detail:
        'The counts of wrong passwords on this terminal were changed. Nobody can authorise anything here until it has reached the server again.',
    },
    staffDisabled: {
      message: 'This staff member is disabled',
      detail: `${noMoneyMoved} A colleague can enter their staff ID; a manager can enable this person in the portal.`,
    },
    permissionDenied: {
      message: staffRefusalMessages.permission_denied,
      detail: `${noMoneyMoved} A colleague with the Refund & void permission can enter their staff ID; a manager can grant it.`,
    },
    permissionApprovable: {
      message: staffRefusalMessages.permission_denied,
      detail: `${noMoneyMoved} A colleague with the Refund & void permission can approve it now.`,
    },
    selfApproval: {
      message: staffRefusalMessages.self_approval as string,
      detail: `${noMoneyMoved} A colleague enters their own staff ID.`,
    },
    approvalExpired: {
      message: staffRefusalMessages.approval_expired as string,
      detail: `${noMoneyMoved} Whoever asked for it enters their staff ID again.`,
    },
    expired: { message: staffRefusalMessages.authorisation_expired as string, detail: noMoneyMoved },
    staffNeeded: {
      message: staffRefusalMessages.authorisation_required,
      detail: `Password protection was switched on meanwhile. ${noMoneyMoved}`,
    },
    timeForNewPasswordOver: {
      message: 'That took too long',
      detail: 'Your password was not changed and no money moved. Begin again with your staff ID.',
    },
    passwordUnchanged: {
      message: 'Choose another password',
      detail: 'The temporary password cannot stay. Choose one that only you know.',
    },
    passwordNotReached: {
      message: notReached,
      detail: 'Your new password was not saved and no money moved. Try again.',
    },
    slowDown: {
      message: 'Please wait a moment',
      detail: `Too many tries at once. ${noMoneyMoved} Try again in a few seconds.`,
    },
    revoked: {
      message: notEnrolled,
      detail: `${noMoneyMoved} A manager can enrol it again with a new code.`,
    },
    exceeds: {
      message: 'Refund exceeds original sale amount',
      detail: 'Choose an amount no larger than what is left of this sale.',
    },
    silent: {
      message: 'Checking',
      detail:
        'No answer came. The terminal keeps asking and sends nothing twice. You can leave this screen after a minute.',
    },
    restarted: {
      message: 'Checking',
      detail: 'The terminal restarted in the middle of this. It is finding out the result and sends nothing twice.',
    },
    notReceived: {
      message: 'Not sent',
      detail: 'The service never received it: no money moved. Start again from the sale.',
    },
    leftSilent: {
      message: 'Not known yet',
      detail:
        'The service could not be asked about it. If it was received, the sale shows it: look at the sale before you start again.',
    },
    leftPending: {
      message: 'Not decided yet',
      detail:
        'The bank has not answered yet. The service keeps checking, and the sale shows the result. Do not start it again.',
    },
  },
  /** The end of a request of software while staff were asked to authorise it. */
  withdrawn: {
    expired: (requestedBy: string) => ({
      message: 'Request expired',
      detail: `${noMoneyMoved} To return the money after all, start again from ${requestedBy}.`,
    }),
    cancelled: (requestedBy: string) => ({
      message: `Cancelled by ${requestedBy}`,
      detail: `${noMoneyMoved} There is nothing left to do here.`,
    }),
  },
  /** A limit of the staff member; null if the name is not known. */
  limits: {
    otherPerson: 'A colleague can enter their staff ID, or a smaller amount can be refunded.',
    colleagueApproves: 'A colleague with a higher limit can approve it now.',
    perTransaction: {
      message: staffRefusalMessages.limit_exceeded,
      detail: (name: string | null, limit: string, next: string) =>
        `${name ?? thisStaffMember} may refund up to ${limit} at once. ${noMoneyMoved} ${next}`,
    },
    daily: {
      message: staffRefusalMessages.daily_limit_exceeded,
      detail: (name: string | null, limit: string, left: string, next: string) =>
        `${name ?? thisStaffMember} may refund up to ${limit} a day and has ${left} left today. ${noMoneyMoved} ${next}`,
    },
  },
  incorrectPassword: {
    message: staffRefusalMessages.invalid_signature,
    /** Before a lockout. */
    triesLeft: (count: number) => `${count === 1 ? '1 try' : `${count} tries`} left.`,
  },
  lockouts: {
    lockedOut: staffRefusalMessages.staff_locked,
    lockedOutUntil: (time: string) => `Locked out until ${time}`,
    tooManyAttempts: staffRefusalMessages.too_many_attempts,
    /** Who is locked out and until when, if known. */
    staff: (name: string | null, until: string | null) =>
      `${name ?? thisStaffMember} is locked out${until ? ` until ${until}` : ''}: too many wrong passwords. ${noMoneyMoved} Go back for a colleague to enter their staff ID, or a manager unlocks ${name ?? 'them'} in the portal, under Staff.`,
    terminal: (until: string | null) =>
      `This terminal is locked out${until ? ` until ${until}` : ''}, for everybody: too many wrong passwords were entered on it. ${noMoneyMoved} Use another terminal, or ask a manager to unlock this one.`,
  },
  /** Refusals because of the payment's state. */
  refusals: {
    payment_already_cancelled: {
      message: 'Payment has already been cancelled',
      detail: 'This sale was voided before: the customer does not pay for it. There is nothing to give back.',
    },
    payment_already_refunded: {
      message: 'Payment has already been refunded',
      detail: 'Part of this sale was refunded before, so it can no longer be voided. Refund the rest instead.',
    },
    refund_exceeds_payment: {
      message: 'Refund exceeds original sale amount',
      detail: `Less is left of this sale than was asked for. ${noMoneyMoved} Look at the sale and choose again.`,
    },
    payment_already_settled: { message: 'Too late to void', detail: `Refund it instead. ${noMoneyMoved}` },
    payment_not_settled: { message: 'Too early to refund', detail: `Void it instead. ${noMoneyMoved}` },
    payment_settling: {
      message: 'Being settled',
      detail: `The bank is settling this sale, so it can be neither voided nor refunded now. ${noMoneyMoved}`,
    },
    settlement_rejected: {
      message: 'Not settled',
      detail: `The bank did not settle this sale. ${noMoneyMoved} ${support}`,
    },
    payment_not_at_gateway: {
      message: 'Not known to the bank',
      detail: 'The bank has no record of this payment, so nothing can be given back on it.',
    },
    refund_in_progress: {
      message: 'Another refund is being decided',
      detail: 'Another refund of this sale is still being decided. Wait for it, then look at the sale again.',
    },
    other: { message: 'Not possible', detail: noMoneyMoved },
  },
  lookAgain: {
    at: (time: string) => `Look again at ${time}.`,
    inAMinute: 'Look again in a minute.',
    later: 'Look again later.',
  },
  /** The outcome of a void or refund. */
  returned: {
    voided: {
      message: 'Voided',
      detail: 'The card is not charged. The bank releases the amount that it had set aside; this can take a few days.',
    },
    refunded: {
      message: 'Refunded',
      detail: (amount: string) =>
        `${amount} goes back to the customer’s card, usually within one to five working days.`,
    },
    declined: { message: 'Declined', detail: 'The bank refused to give the money back.' },
    failed: { message: 'Failed', detail: 'The bank could not be reached.', next: 'Try again.' },
    bankSays: (message: string) => `The bank says: ${message}.`,
    checking: 'Checking',
    checkingVoid:
      'The bank has not confirmed this void yet. The service keeps checking, and the result will be with the sale, in Recent sales. You can leave this screen.',
    checkingRefund: (amount: string) =>
      `The bank has not confirmed this refund of ${amount} yet. The service keeps checking, and the result will be with the sale, in Recent sales. You can leave this screen.`,
  },
  receipt: {
    business: 'Business',
    terminal: 'Terminal',
    date: 'Date',
    invoice: 'Invoice',
    voidOfInvoice: 'Void of invoice',
    refundOfInvoice: 'Refund of invoice',
    amount: 'Amount',
    tip: 'Of which tip',
    voided: 'Voided',
    refunded: 'Refunded',
    card: 'Card',
    entry: 'Read by',
    entryModes: { chip: 'Chip', contactless: 'Contactless', swipe: 'Magnetic stripe' } as Record<string, string>,
    authorisation: 'Authorisation',
    authorisedBy: 'Authorised by',
    requestedBy: 'Requested by',
    approvedBy: 'Approved by',
    bankReference: 'Bank reference',
    reference: 'Reference',
    paidWith: 'Paid with',
    methods: { lightning: 'Bitcoin, Lightning', onchain: 'Bitcoin, on chain', card: 'Card' },
    bitcoin: 'Bitcoin',
  },
  dayReport: enDayReport,
  readerDay: enReaderDay,
  ...enSales,
};

/** Every sentence of the core. */
export type CoreWords = SameWords<typeof en>;

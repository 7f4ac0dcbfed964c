import type { PayerWords } from './payer-words.ts';

export const english: PayerWords = {
  languageSwitch: 'Language',
  noScript: {
    waitReload: 'Once you have paid, load this page again.',
    paidReload: 'I have paid: load this page again',
  },
  nowhere: {
    title: 'There is no page at this address',
    lines: [
      'The address may not be complete. Please open the link as it was sent to you, or ask the sender. Nothing was charged by opening this page.',
    ],
  },
  refused: {
    title: 'This page cannot be shown now',
    tooManyRequests: 'It was asked for too often in a short time.',
    fromElsewhere: 'The request came from another site.',
    other: 'Something went wrong on our side.',
    next: 'Wait a moment, then load it again. If you were paying, open the payment page again: it says how your payment stands. Do not pay a second time before it does.',
  },
  waiting: 'Waiting for your payment.',
  showsByItself: 'This page shows it by itself.',
  goesByItself: 'This page goes there by itself in a few seconds.',
  connectionLost: 'No connection. This page goes on as soon as it is back.',
  codeStillWorks: 'You can still pay with the code below, once: your payment is noticed then.',

  openInWallet: 'Open in wallet',
  copy: 'Copy',
  writeTag: 'Write to an NFC tag',
  payWholeBy: time => `Pay the whole amount by ${time}, once.`,
  payRestBy: time => `Pay the rest by ${time}, once.`,
  lightningInvoice: 'Lightning invoice',
  lightningAddress: 'Lightning address',
  bitcoinAddress: 'Bitcoin address',
  amountInBitcoin: 'Amount in bitcoin',
  codes: {
    lightning: 'QR code to pay over Lightning',
    onchain: 'QR code to pay over the bitcoin network',
    wallet: 'QR code to pay with a bitcoin wallet',
    tip: 'QR code to give a tip with a Lightning wallet',
  },

  claim: {
    about: ({ sats, worth }) => `${sats} (about ${worth})`,
    states: {
      open: merchant => `${merchant} has to return it to you: enter below where to.`,
      requested: merchant =>
        `${merchant} knows where you want it back, and returns it there. This page says when that is done.`,
      disputed: merchant =>
        `${merchant} was given different places to return it to, and has to find out which is right before it returns anything. Please contact ${merchant}.`,
      returned: merchant => `${merchant} has returned it.`,
    },
    refusals: {
      destination_invalid: 'Nothing can be sent there: please check it.',
      other_network: 'This is on another bitcoin network than your payment: please give one of the same network.',
      destination_of_merchant:
        'This is the address or invoice you paid to, or another one of a shop: please give one of your own wallet.',
      invoice_expired: 'This Lightning invoice has expired: please make a new one.',
      invoice_amount_differs:
        'This Lightning invoice is for a different amount than the one to be returned: please make one for that amount, or without an amount.',
      too_many_destinations: 'Too many different places were given already: please contact the shop.',
    },
    where: 'Where to return it',
    hint: 'Your bitcoin address or your Lightning address, which looks like an email address. A Lightning invoice works only until it expires. Please check it for typing errors: it cannot be changed.',
    hintAgain: merchant => `If you give another one, ${merchant} has to ask before it returns anything.`,
    ask: 'Ask for it back',
    given: destination => `You gave ${destination}.`,
    givenCheck: merchant => `Please check it for typing errors: if it is wrong, contact ${merchant}.`,
    isItWrong: 'Is it wrong, or did someone else enter it?',
    toBeReturned: amount => `${amount} are to be returned`,
    wereReturned: amount => `${amount} were returned`,
    whyOnLink: 'They arrived late, or were not the amount asked for, and did not pay this link.',
  },

  confirmation: {
    one: 'Payment confirmation',
    several: 'Payments',
    paidTo: 'Paid to',
    returnedSince: 'Returned since',
    invoice: 'Invoice',
    receipt: 'Receipt',
    receiptFor: invoiceNumber => `Receipt for ${invoiceNumber}`,
    receiptByEmail: 'Send the receipt by e-mail',
  },

  onTheirWay: {
    title: 'Payment seen',
    whole: sats =>
      `${sats} are on their way. They count once the bitcoin network has confirmed them, usually within the hour. Do not pay again; you may close this page.`,
    partTitle: 'Not the whole amount is on its way',
    partOfCheckout: ({ part, whole }) =>
      `${part} of ${whole} were sent. Once the bitcoin network has confirmed them, usually within the hour, this page says how to pay the rest or, where the time is up by then, how to get them back.`,
    partOfLink: ({ part, whole }) =>
      `${part} of ${whole} were sent. Once the bitcoin network has confirmed them, usually within the hour, this page says what to do about the rest.`,
  },

  checkout: {
    titles: {
      PENDING: 'Pay',
      PROCESSING: 'Payment on its way',
      COMPLETE: 'Paid',
      UNDERPAID: 'Paid in part',
      EXPIRED: 'Expired',
      CANCELLED: 'Cancelled',
    },
    unavailable: {
      title: 'This checkout is not available',
      lines: [
        'The address is not complete, or never was one. Please go back to the shop and begin again. Nothing was charged by opening this page.',
      ],
    },
    order: orderId => `Order ${orderId}`,
    satsAt: ({ sats, price }) => `${sats} at ${price} for one bitcoin`,
    interrupted: 'Payments are interrupted',
    interruptedWhy: merchant =>
      `${merchant} cannot take payments just now. Nothing was charged. This page tries again by itself: please wait a moment.`,
    timeIsUp: 'The time is up',
    beingChecked:
      'Please do not pay any more. Whether a payment arrived in time is being checked; this takes a moment.',
    partArrived: 'Part of the amount has arrived',
    sendTheOther: ({ part, whole, rest }) => `${part} of ${whole} are here. Please send the other ${rest}.`,
    received: ({ merchant, sats }) => `${merchant} has received ${sats}.`,
    moreThanAsked: amount => `That is ${amount} more than was asked for.`,
    notEnough: 'Not enough was paid',
    arrivedOf: ({ part, whole }) => `${part} of ${whole} arrived before the time was up. The order is not paid.`,
    tooLate: 'Your payment came too late',
    arrivedAfter: amount => `${amount} arrived after the time was up. The order is not paid.`,
    nothingPaid: merchant => `Nothing was paid. Please do not pay any more; go back to ${merchant} to begin again.`,
    cancelledArrived: amount => `${amount} arrived all the same.`,
    cancelled: 'This checkout was cancelled. Please do not pay any more.',
    howToPay: 'How to pay',
    waysToPay: 'Ways to pay',
    networks: { lightning: 'Lightning', onchain: 'Bitcoin network' },
    backTo: merchant => `Back to ${merchant}`,
  },

  pay: {
    unavailable: {
      title: 'This payment link is not available',
      lines: [
        'It may have been withdrawn, or the address is not complete. Please ask the sender for a new one. Nothing was charged by opening this page.',
      ],
    },
    bankChecked: { title: 'Checked', lines: ['Your bank’s check goes on.'] },
    payableUntil: time => `Can be paid until ${time}.`,
    success: 'Payment successful',
    paid: 'Paid',
    paidWhy: merchant => `${merchant} has received this payment. Nothing is left to pay.`,
    continueTo: merchant => `Continue to ${merchant}`,
    expired: 'This payment link has expired',
    expiredPaid: 'It was paid in full before. Nothing is left to pay.',
    expiredPart: ({ paid, merchant }) => `${paid} of it was paid. For the rest, please contact ${merchant}.`,
    expiredUnpaid: merchant => `It can no longer be paid. Please ask ${merchant} for a new one.`,
    partTaken: 'Only part of the amount was taken',
    partTakenWhy: ({ part, whole, merchant }) =>
      `Your bank approved less than was asked: ${part} of ${whole} is paid. The rest cannot be paid online: please contact ${merchant}.`,
    partPaid: 'Part of this has been paid',
    partPaymentUnavailable: rest =>
      `Online part payment is not available, so the other ${rest} cannot be paid on this page.`,
    payRest: merchant => `To pay the rest, please contact ${merchant}. What has been paid counts towards it.`,
    paidSoFar: 'Paid so far',
    leftToPay: 'Left to pay',
    sending: { title: 'Your payment is being made', lines: ['Please wait, and do not pay again.'] },
    checking: {
      title: 'We are checking your payment',
      lines: [
        'Do not pay again: we are asking the bank whether it went through. This page shows the answer by itself.',
      ],
    },
    checkingLater: merchant =>
      `You may close it and open the link again later. If this takes longer than an hour, contact ${merchant}.`,
    contactingBank: {
      title: 'Contacting your bank',
      lines: ['This takes a few seconds. Please keep this page open.'],
    },
    bankAsks: {
      title: 'Your bank asks you to confirm this payment',
      lines: ['Continue to your bank’s own page. You come back here when you are done. Nothing has been taken yet.'],
    },
    bankElsewhere: 'A payment of this link waits for confirmation',
    bankElsewhereWhy: time =>
      `Someone with this link is on their bank’s page now. If that is you, in another window or on another device, finish it there. Otherwise it ends by itself by ${time}, and you can pay here then. Nothing has been taken yet.`,
    voided: 'The payment was cancelled',
    voidedBy: merchant => `${merchant} cancelled it, and nothing is taken from the card.`,
    voidedPayBelow: 'If you still want to pay, you can below.',
    voidedAskForNew: 'This link takes no other payment: if you still want to pay, please ask them for a new one.',
    failed: {
      title: 'The payment was not made',
      lines: ['The bank could not be reached. Nothing was taken. Please try again.'],
    },
    declined: {
      bank: {
        title: 'Card declined',
        lines: ['Your bank did not authorise the payment. Nothing was taken. Try another card, or ask your bank.'],
      },
      bank_check: {
        title: 'Card declined: the bank’s extra check failed',
        lines: ['Your bank did not confirm that it was you. Nothing was taken. Try again, or use another card.'],
      },
      bank_check_incomplete: {
        title: 'The bank’s check could not be completed',
        lines: ['Nothing was taken. You can try again.'],
      },
    },
    toBank: 'Continue to your bank',
    bankFrame: 'Check by your bank',
    startAgain: 'Start again',
    notPayable: 'This link cannot be paid online just now',
    contact: merchant => `Please contact ${merchant}.`,
    card: 'card',
    payBy: methods => `Pay by ${methods}`,
    needsScript: 'Paying by card needs JavaScript',
    needsScriptWhy: merchant =>
      `Your card details are typed into fields of the payment provider, which did not load. Switch JavaScript on and reload this page, or contact ${merchant}.`,
    loading: 'Loading the card fields…',
    payAmount: amount => `Pay ${amount}`,
    cardPrivacy: merchant => `Your card details go straight to the payment provider. ${merchant} never sees them.`,
    or: 'or',
    inBitcoin: 'Pay in bitcoin',
    anotherWay: 'Pay another way',
    priceOfOne: price => `At ${price} for one bitcoin`,
    bitcoinUnavailable: {
      title: 'Bitcoin is not available just now',
      lines: ['Nothing was taken. Please try again in a minute, or pay another way.'],
    },
    bitcoinAmount: {
      title: 'This amount cannot be paid in bitcoin',
      lines: ['Nothing was taken. Please pay another way, or ask the merchant.'],
    },
    inProgress: {
      title: 'A payment is on its way',
      lines: ['Please wait until it has arrived, and do not pay again.'],
    },
    partArrived: 'Only part of the amount has arrived',
    sendMore: ({ arrived, rest, merchant }) =>
      `${arrived} arrived. Please send ${rest} more to the bitcoin address below, or contact ${merchant}.`,
    arrivedPaysNothing: time =>
      `What arrived pays nothing by itself: if the rest does not arrive by ${time}, it is to be returned to you.`,
  },

  tip: {
    title: name => `Tip for ${name}`,
    how: ({ least, most }) =>
      `Scan the code with a Lightning wallet and choose how much to give, from ${least} to ${most}. Your wallet tells you when it has arrived.`,
    unavailable: {
      title: 'This tip link is not available',
      lines: ['It takes no more tips, or the address is not complete. Nothing was charged by opening this page.'],
    },
  },

  script: {
    copied: 'Copied',
    payWholeWithin: 'Pay the whole amount within {time}, once.',
    payRestWithin: 'Pay the rest within {time}, once.',
    timeIsOver: 'The time is over. Do not pay any more.',
    tagHold: 'Hold a tag to the back of this device.',
    tagWritten: 'Written. Hold the tag to the phone with the wallet.',
    tagFailed: 'Nothing was written. Switch NFC on and allow it for this page, or use the code above.',
    cardFields: 'Card details',
    confirmInWallet: 'Confirm in the wallet…',
    paying: 'Paying…',
    checking: 'Checking…',
    notMade: 'The payment was not made. Please try again.',
    tooManyRequests: 'There were too many requests. Nothing was taken. Please wait a moment and try again.',
    findingOut:
      'The connection was lost. We are finding out whether your payment arrived. Do not pay again yet, and keep this page open.',
    providerUnreachable: 'The payment provider could not be reached. Nothing was taken. Please try again.',
    notArrived: 'Your payment did not arrive and nothing was taken. Please try again.',
  },
};

import type { CustomerMessages } from './customer-messages.ts';

export const en: CustomerMessages = {
  idle: {
    ready: 'Ready for your payment',
    unavailable: { title: 'Card payments are not available', detail: 'Please ask a member of staff.' },
    staff: 'Staff',
  },
  toPay: 'To pay',
  cancel: 'Cancel payment',
  cancelling: 'Cancelling…',
  cannotCancel: 'The payment can no longer be cancelled.',
  done: 'Done',
  takeCard: 'Please take your card',
  reference: reference => `Reference ${reference}`,
  receipt: 'Receipt',
  scanReceipt: 'Scan to take your receipt with you',
  print: {
    print: 'Print',
    states: {
      printing: 'Your receipt is being printed.',
      printed: 'Please take your receipt.',
      failed: 'The receipt was not printed. Scan its code, or ask a member of staff.',
    },
  },
  tip: {
    title: 'Choose a tip',
    detail: 'On the card reader. Nothing has been charged yet.',
    included: amount => `Including a tip of ${amount}`,
  },
  stages: {
    starting: { title: 'One moment', detail: 'Your payment is starting.' },
    waiting_for_reader: { title: 'One moment', detail: 'The card reader is getting ready.' },
    remove_previous_card: { title: 'Please remove the card', detail: 'There is still a card in the reader.' },
    present_card: { title: 'Present your card', detail: 'Tap, insert or swipe it on the card reader.' },
    insert_card: { title: 'Insert your card', detail: 'This card cannot be tapped for this amount.' },
    card_inserted: { title: 'Reading your card', detail: 'Please leave it in the reader.' },
    card_tapped: { title: 'Reading your card', detail: 'One moment.' },
    card_swiped: { title: 'Reading your card', detail: 'One moment.' },
    choose_application: { title: 'Choose how to pay', detail: 'Your card offers a choice. Pick one on the reader.' },
    enter_pin: { title: 'Enter your PIN', detail: 'Type it on the card reader and keep it covered.' },
    wrong_pin: { title: 'Wrong PIN', detail: 'Please try again on the card reader.' },
    authorising: { title: 'Asking your bank', detail: 'Please wait.' },
    finishing: { title: 'Almost done', detail: 'Please wait.' },
    checking: {
      title: 'Please wait',
      detail: 'We are finding out whether your card was charged. Please do not pay again.',
    },
    reversing: { title: 'Please wait', detail: 'The payment was not completed and is being taken back.' },
    remove_card: { title: 'Remove your card', detail: 'Please do not forget it.' },
  },
  bitcoin: {
    stages: {
      requesting: { title: 'One moment', detail: 'Your code is being made.' },
      waiting: { title: 'Scan to pay', detail: 'With any Bitcoin wallet, over Lightning or the Bitcoin network.' },
      seen: {
        title: 'Payment found',
        detail: 'It is waiting for its confirmation. There is nothing more to do for you.',
      },
      seen_part: {
        title: 'Not the whole amount is on its way',
        detail:
          'Please stay here and tell a member of staff. Once the part is confirmed, you can pay the rest here. If the time is up by then, you get it back.',
      },
      checking: { title: 'Please wait', detail: 'Time is up. We are finding out whether your payment arrived.' },
      cancelling: { title: 'Cancelling…', detail: 'One moment.' },
      leaving: { title: 'One moment', detail: 'The card reader is next.' },
    },
    problems: {
      node_unreachable: { title: 'Bitcoin is not possible just now', detail: 'We keep trying. You can cancel.' },
      rate_unavailable: {
        title: 'Bitcoin is not possible just now',
        detail: 'Its price is not known. You can cancel.',
      },
      not_reached: { title: 'No connection', detail: 'Please do not pay before this is gone.' },
    },
    offline: {
      noCodeYet: { title: 'No connection', detail: 'Your code is made once it is back. You can cancel.' },
      withdrawing: 'There is no connection. It goes on once it is back, or ask a member of staff.',
      withdrawingShown: 'There is no connection. Please do not pay this code any more, and ask a member of staff.',
    },
    notWithdrawn: {
      paid: 'A payment was found, so it can no longer be cancelled.',
      node_unreachable: 'This code can still be paid, so the card cannot be used yet. You can cancel.',
    },
    part: (received, rest) => `${received} arrived. Please pay the other ${rest}.`,
    partSeen: (sent, total, rest) => `You sent ${sent} of ${total}: ${rest} are missing.`,
    leftToPay: 'Still to pay',
    total: total => `Total ${total}`,
    codeValidFor: time => `Code valid for ${time}`,
    code: 'Code to pay with a Bitcoin wallet',
    payByCard: 'Pay by card',
    payInBitcoin: 'Pay with bitcoin',
  },
  outcomes: {
    approved: { title: 'Payment approved', detail: 'Thank you.' },
    declined: {
      title: 'Card declined',
      detail:
        'You have not been charged. To use another card, please start again where you ordered, or ask a member of staff.',
    },
    cancelled: { title: 'Payment cancelled', detail: 'You have not been charged.' },
    no_card: { title: 'Time is up', detail: 'The payment was not finished in time. You have not been charged.' },
    not_paid: { title: 'Time is up', detail: 'No payment arrived. If you did pay, please ask a member of staff.' },
    underpaid: {
      title: 'Not paid in full',
      detail: 'Too little arrived in time. Please ask a member of staff: you get it back.',
    },
    not_charged: {
      title: 'Payment not possible',
      detail: 'You have not been charged. Please start again or ask a member of staff.',
    },
    being_returned: {
      title: 'Payment not completed',
      detail: 'If your card was charged, the money goes back to it by itself. Please ask a member of staff.',
    },
    ask_staff: {
      title: 'Please ask a member of staff',
      detail: 'Your card may have been charged. Please do not pay again before you have spoken to them.',
    },
  },
  counterOutcomes: {
    declined: {
      title: 'Card declined',
      detail: 'You have not been charged. Staff can try again, or take another card.',
    },
    not_charged: {
      title: 'Payment not possible',
      detail: 'You have not been charged. Staff can try again.',
    },
  },
};

import type { ReceiptWords } from './receipt-words.ts';

export const english: ReceiptWords = {
  titles: { sale: 'Receipt', void: 'Receipt of a void', refund: 'Receipt of a refund' },
  facts: {
    paidOn: 'Paid on',
    voidedOn: 'Voided on',
    refundedOn: 'Refunded on',
    amount: 'Amount',
    tip: 'Tip included',
    for: 'For',
    reference: 'Reference',
    paidWith: 'Paid with',
    returnedTo: 'Returned to',
    read: 'Card read by',
    authorisation: 'Authorisation code',
    transaction: 'Transaction',
    invoice: 'Invoice',
    payment: 'Payment ID',
    receipt: 'Receipt ID',
    left: 'Left of the sale',
  },
  methods: {
    card: 'Card',
    apple_pay: 'Apple Pay',
    google_pay: 'Google Pay',
    lightning: 'Bitcoin over Lightning',
    onchain: 'Bitcoin network',
  },
  card: 'Card',
  entryModes: { chip: 'Chip', contactless: 'Contactless', swipe: 'Magnetic stripe' },
  returns: { void: 'Voided', refund: 'Refunded', rejected: 'Not paid out by the bank' },
  returnsTitle: 'Since then',
  ofSale: (amount, day) => `Of the sale of ${amount} on ${day}`,
  nothingLeft: 'Nothing',
  page: {
    print: 'Print or save',
    email: 'Send this receipt by e-mail',
    emailLabel: 'E-mail address',
    emailHint: 'The address is used for this receipt only.',
    send: 'Send',
    sent: 'The receipt is on its way.',
    refused: {
      address_invalid: 'This is not an e-mail address. Please check it.',
      too_many_addresses: 'This receipt was sent to three addresses already, which is the limit.',
      too_many_emails: 'This receipt was sent five times today, which is the limit. Try again tomorrow.',
    },
    proof: 'Signed receipt',
    proofWhy:
      'A file that the business signed. Anyone can check that nothing was changed in it, without asking the business.',
    download: 'Download the signed receipt',
    verify: 'Check a signed receipt',
    none: 'There is no receipt at this address',
    noneWhy:
      'The address may not be complete. A receipt appears a moment after its payment: if you have just paid, load this page again.',
  },
  letter: {
    subject: merchant => `Your receipt from ${merchant}`,
    open: 'Open the receipt',
    later: 'The page also shows later refunds.',
    reason: merchant =>
      `This address was typed to send a receipt of ${merchant} to it. It is stored with that receipt and used for nothing else.`,
  },
};

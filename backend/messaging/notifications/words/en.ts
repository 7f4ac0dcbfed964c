import type { LetterTable } from '../../../foundation/mail.ts';
import type { FailingEndpoint, NotificationWords, RequestedReturn } from './notification-words.ts';

const counted = (one: string) => (count: number) => `${count} ${one}${count === 1 ? '' : 's'}`;

const endpointFacts = ({ id, address, eventType }: FailingEndpoint): LetterTable => ({
  rows: [
    ['Endpoint', id],
    ['URL', address],
    ['Event', eventType],
  ],
});
const openEndpoint = ({ url }: FailingEndpoint) => ({ label: 'Open the endpoint', url });

const returnFacts = ({ claimId, purpose, purposeId, sats, destination }: RequestedReturn): LetterTable => ({
  rows: [
    ['Return', claimId],
    ['For', `${purpose} ${purposeId}`],
    ['Amount', sats],
    ['Destination', destination],
  ],
});
const openReturn = ({ url }: RequestedReturn) => ({ label: 'Open the return', url });

export const english: NotificationWords = {
  reason: business =>
    `You receive this because ${business} sends e-mails of this kind to this address. Whoever manages its notifications can change that.`,
  webhookFailing: endpoint => ({
    subject: `Webhooks to ${endpoint.host} are failing`,
    paragraphs: [
      `${endpoint.failedInARow} deliveries in a row to your webhook endpoint failed:`,
      endpointFacts(endpoint),
      'After ten in a row it is disabled. The endpoint’s delivery history shows what it answered.',
    ],
    action: openEndpoint(endpoint),
  }),
  webhookDisabled: endpoint => ({
    subject: `Webhooks to ${endpoint.host} were disabled`,
    paragraphs: [
      `${endpoint.failedInARow} deliveries in a row to your webhook endpoint failed, so it was disabled:`,
      endpointFacts(endpoint),
      'Events are kept meanwhile. Once the endpoint works again, send it a test event, enable it, and have the missed deliveries sent again.',
    ],
    action: openEndpoint(endpoint),
  }),
  readerTotalsDiffer: ({ told, reported, recorded, url }) => ({
    subject: told.title,
    paragraphs: [
      told.message,
      {
        rows: [
          ['By the reader', reported],
          ['By the records', recorded],
        ],
      },
      'It stays in the list of problems until somebody acknowledges it.',
    ],
    action: { label: 'Open the problem', url },
  }),
  discrepancyFound: ({ meaning, invoiceNumber, amount, refund, url }) => ({
    subject: `Payment ${invoiceNumber} of ${amount} needs your attention`,
    paragraphs: [
      meaning,
      {
        rows: [
          ['Payment', invoiceNumber],
          ['Amount', amount],
          ...(refund === null ? [] : [['Refund', refund] as const]),
        ],
      },
      'It stays in the list of problems until somebody decides it.',
    ],
    action: { label: 'Open the problem', url },
  }),
  returnRequested: asked => ({
    subject: `A customer requested the return of ${asked.sats}`,
    paragraphs: [
      'A customer paid late, too little or too much in bitcoin, and gave a destination for the return:',
      returnFacts(asked),
      'Return it there, then record the return on the claim.',
    ],
    action: openReturn(asked),
  }),
  returnDisputed: asked => ({
    subject: `Different destinations were given for ${asked.sats}`,
    paragraphs: [
      'More than one destination was given for a return to a customer:',
      returnFacts(asked),
      'Ask the customer before you return anything, and name the paid destination when you record the return on the claim.',
    ],
    action: openReturn(asked),
  }),
  purposes: {
    checkout: 'Checkout',
    paymentLink: 'Payment link',
    terminalSale: 'Sale at a terminal',
    tip: 'Tip',
    ucp: 'Order of a UCP platform',
  },
  staffLocked: ({ told, terminal, until, url }) => ({
    subject: told.title,
    paragraphs: [
      told.message,
      {
        rows: [
          ['Terminal', terminal],
          ['Locked until', until],
        ],
      },
    ],
    action: { label: 'Open the staff', url },
  }),
  terminalSilent: ({ told, since, url }) => ({
    subject: told.title,
    paragraphs: [told.message, { rows: [['Last report', since]] }],
    action: { label: 'Open the terminals', url },
  }),
  report: {
    subject: (business, date) => `${business}: report for ${date}`,
    about:
      'What was taken and returned that day. A refund or void of an earlier payment counts on the day it was made.',
    total: 'Total',
    rails: {
      card: 'Cards',
      wallet: 'Apple Pay and Google Pay',
      lightning: 'Lightning',
      onchain: 'On-chain bitcoin',
    },
    payments: counted('payment'),
    tips: count => `of which tips (${count})`,
    voids: counted('void'),
    rejected: count => `${count} rejected by the bank`,
    refunds: counted('refund'),
    net: 'Net',
    noProblems: 'There are no open problems.',
    problems: 'Open problems',
    moreProblems: count => `And ${count} more.`,
    severities: { act: 'To do', watch: 'To watch' },
    open: 'Open the overview',
  },
};

import type { SettlementRecord } from '@florin/shared/contracts/api-v1/settlements.ts';
import type { TransactionType } from '@florin/shared/contracts/api-v1/transactions.ts';
import { recordWords } from '@florin/shared/record-words.ts';
import { texts } from '../../words/texts.ts';

type Statuses = Readonly<Record<SettlementRecord['status'], string>>;
type Types = Readonly<Record<TransactionType, string>>;

const statuses: Statuses = recordWords.settlements;
const types: Types = recordWords.transactions;

const en = {
  title: 'Settlements',
  about:
    'What your bank pays out for each day, and what it consists of. Bitcoin goes to your own wallet, and is not among it.',
  caption: 'Settlements by day, newest first',
  day: 'Day',
  account: 'Account',
  state: 'State',
  gross: 'Sales',
  voided: 'Voided',
  refunded: 'Refunds',
  net: 'Payout',
  statuses,
  empty: 'No settlements yet',
  emptyWhy: 'A day appears here once payments by card or wallet were taken.',
  nothing: 'No settlement in this period',
  up: 'Settlements',
  of: (day: string) => `Settlement of ${day}`,
  ofAwaiting: 'Not settled yet',
  equation: 'How the amount comes about',
  terms: {
    gross: 'Sales',
    voided: 'Voided before settlement',
    rejected: 'Refused by the bank',
    refunded: 'Refunded to customers',
    net: 'Paid out to you',
    netToCome: 'To be paid out to you',
  },
  count: (count: number, noun: 'payments' | 'voids' | 'rejected' | 'refunds') => {
    const [one, more] = {
      payments: ['payment', 'payments'],
      voids: ['void', 'voids'],
      rejected: ['payment', 'payments'],
      refunds: ['refund', 'refunds'],
    }[noun] as [string, string];
    return `${count} ${count === 1 ? one : more}`;
  },
  sentence: (gross: string, lesses: readonly string[], net: string, isFinal: boolean) => {
    const less = lesses.length === 0 ? 'with nothing voided or refunded' : `less ${lesses.join(', less ')}`;
    return `${gross} of sales, ${less}: ${net} ${isFinal ? 'is paid out' : 'as it stands; the day is not final yet'}.`;
  },
  lesses: {
    voided: (amount: string) => `${amount} voided`,
    rejected: (amount: string) => `${amount} refused by the bank`,
    refunded: (amount: string) => `${amount} refunded`,
  },
  negative: (amount: string) =>
    `More was refunded than sold: ${amount} is taken from your account, or from the next payout.`,
  notes: {
    awaiting: 'These payments were approved. The bank has not settled them yet: they can still be voided.',
    current: 'This day is not over: more may follow.',
    closed: 'This day is over, and the amount is final. It is on your bank statement within a few days.',
  },
  transactions: 'Transactions',
  transactionsCaption: 'Transactions of the settlement, newest first',
  time: 'Time',
  type: 'What',
  types,
  invoice: 'Invoice',
  paidWith: 'Paid with',
  who: 'Who',
  amount: 'Amount',
  facts: 'Settlement',
  period: 'From',
  until: 'Until',
  id: 'ID',
};

const de: typeof en = {
  title: 'Abrechnungen',
  about:
    'Was Ihre Bank für jeden Tag auszahlt, und woraus es besteht. Bitcoin geht an Ihre eigene Wallet und gehört nicht dazu.',
  caption: 'Abrechnungen nach Tagen, die neueste zuerst',
  day: 'Tag',
  account: 'Konto',
  state: 'Stand',
  gross: 'Verkäufe',
  voided: 'Storniert',
  refunded: 'Erstattungen',
  net: 'Auszahlung',
  statuses: { awaiting: 'Noch nicht abgerechnet', current: 'Heute', closed: 'Endgültig' },
  empty: 'Noch keine Abrechnungen',
  emptyWhy: 'Ein Tag erscheint hier, sobald mit Karte oder Wallet gezahlt wurde.',
  nothing: 'Keine Abrechnung in diesem Zeitraum',
  up: 'Abrechnungen',
  of: day => `Abrechnung vom ${day}`,
  ofAwaiting: 'Noch nicht abgerechnet',
  equation: 'Wie der Betrag zustande kommt',
  terms: {
    gross: 'Verkäufe',
    voided: 'Vor der Abrechnung storniert',
    rejected: 'Von der Bank abgelehnt',
    refunded: 'An Kunden erstattet',
    net: 'An Sie ausgezahlt',
    netToCome: 'Wird an Sie ausgezahlt',
  },
  count: (count, noun) => {
    const [one, more] = {
      payments: ['Zahlung', 'Zahlungen'],
      voids: ['Storno', 'Stornos'],
      rejected: ['Zahlung', 'Zahlungen'],
      refunds: ['Erstattung', 'Erstattungen'],
    }[noun] as [string, string];
    return `${count} ${count === 1 ? one : more}`;
  },
  sentence: (gross, lesses, net, isFinal) => {
    const less = lesses.length === 0 ? 'nichts storniert oder erstattet' : `abzüglich ${lesses.join(', abzüglich ')}`;
    const state = isFinal ? 'werden ausgezahlt' : 'nach heutigem Stand; der Tag ist noch nicht endgültig';
    return `${gross} an Verkäufen, ${less}: ${net} ${state}.`;
  },
  lesses: {
    voided: amount => `${amount} storniert`,
    rejected: amount => `${amount} von der Bank abgelehnt`,
    refunded: amount => `${amount} erstattet`,
  },
  negative: amount =>
    `Es wurde mehr erstattet als verkauft: ${amount} werden von Ihrem Konto oder der nächsten Auszahlung abgezogen.`,
  notes: {
    awaiting:
      'Diese Zahlungen wurden genehmigt. Die Bank hat sie noch nicht abgerechnet: Sie können noch storniert werden.',
    current: 'Dieser Tag ist nicht vorbei: Es kann mehr dazukommen.',
    closed: 'Dieser Tag ist vorbei, der Betrag endgültig. Er steht binnen weniger Tage auf Ihrem Kontoauszug.',
  },
  transactions: 'Bewegungen',
  transactionsCaption: 'Bewegungen der Abrechnung, die neueste zuerst',
  time: 'Zeit',
  type: 'Was',
  types: {
    payment: 'Zahlung',
    void: 'Storno',
    refund: 'Erstattung',
    uncapped_refund: 'Erstattung über die API',
    bitcoin_refund: 'Erstattung vermerkt',
    reversal: 'Rückbuchung',
    settlement_rejected: 'Von der Bank abgelehnt',
    correction: 'Berichtigung',
  },
  invoice: 'Verkaufs-Nr.',
  paidWith: 'Bezahlt mit',
  who: 'Wer',
  amount: 'Betrag',
  facts: 'Abrechnung',
  period: 'Von',
  until: 'Bis',
  id: 'ID',
};

export const settlementsTexts = texts({ en, de });

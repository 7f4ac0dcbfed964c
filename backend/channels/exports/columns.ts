import type { ExportedList } from '@florin/shared/contracts/api-v1/exports.ts';
import { paymentWords } from '@florin/shared/payment-words.ts';
import { recordWords } from '@florin/shared/record-words.ts';

/** A record of a list, as its operation answers it. */
export type Item = Readonly<Record<string, unknown>>;

/** A column of a file: its name, once in the file, and the value in a record. */
export type Column = {
  readonly name: string;
  readonly valueIn: (item: Item) => unknown;
  /** An amount in the smallest unit is written in the unit of the record's currency, a time in the business's time zone. */
  readonly kind: 'text' | 'amount' | 'time';
};

/** The value at a path, such as `sale.currency`. */
function at(path: string) {
  return (item: Item): unknown =>
    path.split('.').reduce<unknown>((inner, name) => (inner as Item | null | undefined)?.[name], item);
}

const text = (name: string, path = name): Column => ({ name, valueIn: at(path), kind: 'text' });
const time = (name: string, path: string): Column => ({ name, valueIn: at(path), kind: 'time' });
const amount = (name: string, path: string): Column => ({ name, valueIn: at(path), kind: 'amount' });

/** What is subtracted: so that the columns add up, as on the page. */
function less(name: string, path: string): Column {
  const read = at(path);
  return { name, valueIn: item => 0 - Number(read(item)), kind: 'amount' };
}

/** A code by the word that the page has for it. */
function word(name: string, paths: string | readonly string[], words: Readonly<Record<string, string>>): Column {
  const reads = [paths].flat().map(at);
  const valueIn = (item: Item) => {
    const code = reads.map(read => read(item)).find(value => typeof value === 'string');
    return typeof code === 'string' ? (words[code] ?? code) : undefined;
  };
  return { name, valueIn, kind: 'text' };
}

const paidWith = [
  word('paid_with', 'method', paymentWords.methods),
  text('card_scheme', 'cardScheme'),
  text('card_last_four', 'cardLastFour'),
];
const staff = [text('staff', 'staff.name'), text('staff_number', 'staff.staffNumber')];

/** Where a payment was made: the terminal, or how it came about without one. */
const where: Column = {
  name: 'where',
  valueIn: item =>
    at('terminal.name')(item) ??
    (at('paymentLinkId')(item) === null ? recordWords.places.online : recordWords.places.link),
  kind: 'text',
};

/** What the payment link, staff or the software of the till call it. */
const reference: Column = {
  name: 'reference',
  valueIn: item => at('link.externalReference')(item) ?? item.reference,
  kind: 'text',
};

const staffLog = (...ownAmount: readonly Column[]): readonly Column[] => [
  time('time', 'attemptedAt'),
  ...staff,
  text('terminal', 'terminal.name'),
  text('invoice', 'sale.invoiceNumber'),
  amount('sold_for', 'sale.amountInCents'),
  ...ownAmount,
  text('currency', 'sale.currency'),
  word('result', 'status', recordWords.staffLog),
  word('reason', ['detail', 'reason'], recordWords.staffLogReasons),
  { name: 'offline', valueIn: item => (item.offline === true ? 'yes' : 'no'), kind: 'text' },
  time('sale_taken_at', 'sale.takenAt'),
  time('recorded_at', 'recordedAt'),
  text('entry_id', 'id'),
  text('hash'),
];

/** The columns of each list: those of its page in their order and words, then what the record has besides. */
export const exportColumns: Readonly<Record<ExportedList, readonly Column[]>> = {
  payments: [
    time('time', 'createdAt'),
    text('invoice', 'invoiceNumber'),
    ...paidWith,
    where,
    word('state', 'status', paymentWords.statuses),
    amount('amount', 'amountInCents'),
    amount('returned', 'refundedInCents'),
    amount('being_returned', 'pendingInCents'),
    amount('left', 'remainingInCents'),
    amount('tip', 'tipInCents'),
    text('currency'),
    text('amount_sats', 'amountSats'),
    time('taken_at', 'takenAt'),
    time('settled_at', 'settledAt'),
    text('description', 'link.description'),
    reference,
    text('bank_reference', 'gatewayReference'),
    text('bank_message', 'declineMessage'),
    text('payment_id', 'id'),
    text('sale_id', 'saleId'),
  ],
  refunds: [
    time('time', 'createdAt'),
    word('kind', 'kind', recordWords.refundKinds),
    word('state', 'status', recordWords.refunds),
    amount('amount', 'amountInCents'),
    text('currency'),
    text('amount_sats', 'amount'),
    word('payment_state', 'paymentStatus', paymentWords.statuses),
    word('requested_from', 'source', recordWords.refundSources),
    ...staff,
    text('reason'),
    time('outcome_at', 'settledAt'),
    text('bank_reference', 'gatewayReference'),
    text('bank_message', 'gatewayMessage'),
    text('refund_id', 'id'),
    text('payment_id', 'paymentId'),
    text('api_key_id', 'apiKeyId'),
  ],
  transactions: [
    time('time', 'at'),
    word('type', 'type', recordWords.transactions),
    text('invoice', 'invoiceNumber'),
    ...paidWith,
    text('terminal', 'terminal.name'),
    ...staff,
    text('by', 'by.name'),
    amount('amount', 'amountInCents'),
    text('currency'),
    text('amount_sats', 'amountSats'),
    text('bank_reference', 'gatewayReference'),
    text('transaction_id', 'id'),
    text('payment_id', 'paymentId'),
    text('refund_id', 'refundId'),
  ],
  settlements: [
    text('day'),
    word('state', 'status', recordWords.settlements),
    text('account', 'gatewayAccount.name'),
    amount('sales', 'grossInCents'),
    less('voided', 'voidedInCents'),
    less('refused_by_bank', 'rejectedInCents'),
    less('refunds', 'refundedInCents'),
    amount('paid_out', 'netInCents'),
    text('currency'),
    text('payment_count', 'paymentCount'),
    text('void_count', 'voidCount'),
    text('refused_count', 'rejectedCount'),
    text('refund_count', 'refundCount'),
    text('settlement_id', 'id'),
  ],
  'refund-log': staffLog(amount('amount', 'amountInCents')),
  'void-log': staffLog(),
  audit: [
    time('time', 'recordedAt'),
    text('entry', 'sequence'),
    text('what', 'sentence'),
    text('who', 'actor.name'),
    text('who_kind', 'actor.kind'),
    text('kind'),
    text('result', 'status'),
    text('reason'),
    time('happened_at', 'attemptedAt'),
    text('details'),
    text('who_id', 'actor.id'),
    text('entry_id', 'id'),
    text('previous_hash', 'previousHash'),
    text('hash'),
  ],
};

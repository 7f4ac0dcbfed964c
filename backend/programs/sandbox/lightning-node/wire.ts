import type { InvoiceRecord, PaymentRecord, TransactionRecord } from './store.ts';

/** LND's JSON: snake_case, every field present, 64-bit integers as strings, bytes in base64. */

/** gRPC codes with their HTTP status. */
export const codes = { unknown: 2, invalidArgument: 3, notFound: 5, alreadyExists: 6, unimplemented: 12 } as const;
const statusOf: Readonly<Record<number, number>> = { 2: 500, 3: 400, 5: 404, 6: 409, 12: 501 };

export type Answer = { readonly status: number; readonly content: unknown };

/** The reply to a call that was carried out: status 200. */
export function answer(content: unknown): Answer {
  return { status: 200, content };
}

/** An error as LND's REST proxy sends it: the HTTP status follows from the gRPC code, 500 for a code without one. */
export function failure(code: number, message: string): Answer {
  return { status: statusOf[code] ?? 500, content: { code, message, details: [] } };
}

/** From hexadecimal, the form in which the store has hashes and preimages. */
export function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** Base64 bytes in either alphabet; undefined unless they are `length` bytes. */
export function hexOf(text: unknown, length: number): string | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length ? bytes.toString('hex') : undefined;
}

const seconds = (ms: number) => String(Math.floor(ms / 1000));

/** LND's `Invoice`. The paid amounts are zero unless the state is ACCEPTED or SETTLED. */
export function invoiceOnWire(invoice: InvoiceRecord) {
  const isPaid = invoice.state === 'SETTLED';
  const paidMsat = isPaid || invoice.state === 'ACCEPTED' ? invoice.paidMsat : 0;
  return {
    memo: invoice.memo,
    r_preimage: base64(invoice.preimage),
    r_hash: base64(invoice.paymentHash),
    value: String(Math.floor(invoice.valueMsat / 1000)),
    value_msat: String(invoice.valueMsat),
    settled: isPaid,
    creation_date: seconds(invoice.createdAt),
    settle_date: isPaid ? seconds(invoice.settledAt) : '0',
    payment_request: invoice.bolt11,
    description_hash: base64(invoice.descriptionHash),
    expiry: String(invoice.expiresInSeconds),
    fallback_addr: '',
    cltv_expiry: '80',
    route_hints: [],
    private: false,
    add_index: String(invoice.addIndex),
    settle_index: String(invoice.settleIndex),
    amt_paid: String(paidMsat),
    amt_paid_sat: String(Math.floor(paidMsat / 1000)),
    amt_paid_msat: String(paidMsat),
    state: invoice.state,
    htlcs: [],
    features: {},
    is_keysend: false,
    payment_addr: base64(invoice.paymentSecret),
    is_amp: false,
    amp_invoice_state: {},
  };
}

/** LND's `Payment`. The preimage is all zeros unless the payment succeeded. */
export function paymentOnWire(payment: PaymentRecord) {
  const { amountMsat, feeMsat, status } = payment;
  return {
    payment_hash: payment.paymentHash,
    value: String(Math.floor(amountMsat / 1000)),
    creation_date: seconds(payment.createdAt),
    fee: String(Math.floor(feeMsat / 1000)),
    payment_preimage: status === 'SUCCEEDED' ? payment.preimage : '0'.repeat(64),
    value_sat: String(Math.floor(amountMsat / 1000)),
    value_msat: String(amountMsat),
    payment_request: payment.bolt11,
    status,
    fee_sat: String(Math.floor(feeMsat / 1000)),
    fee_msat: String(feeMsat),
    creation_time_ns: `${payment.createdAt}000000`,
    htlcs: [],
    payment_index: String(payment.index),
    failure_reason: payment.failureReason,
  };
}

/**
 * LND's `Transaction`. The amount is negative if the wallet spent more than it received; unconfirmed has height and
 * confirmations 0.
 */
export function transactionOnWire(transaction: TransactionRecord, tipHeight: number) {
  const { blockHeight, outputs, spentSats } = transaction;
  const received = outputs.reduce(
    (sum, { amountSats, isWalletAddress }) => sum + (isWalletAddress ? amountSats : 0),
    0,
  );
  return {
    tx_hash: transaction.txId,
    amount: String(received - spentSats),
    num_confirmations: blockHeight === 0 ? 0 : tipHeight - blockHeight + 1,
    block_hash: blockHeight === 0 ? '' : blockHeight.toString(16).padStart(64, '0'),
    block_height: blockHeight,
    time_stamp: seconds(transaction.createdAt),
    total_fees: String(transaction.feeSats),
    dest_addresses: outputs.map(({ address }) => address),
    output_details: outputs.map(({ address, amountSats, isWalletAddress }, index) => ({
      output_type: 'SCRIPT_TYPE_WITNESS_V0_PUBKEY_HASH',
      address,
      pk_script: '',
      output_index: String(index),
      amount: String(amountSats),
      is_our_address: isWalletAddress,
    })),
    raw_tx_hex: '',
    label: transaction.label,
    previous_outpoints: [],
  };
}

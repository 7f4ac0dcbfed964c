import type { BitcoinInvoiceRow, BitcoinReceiptRow } from '../../backend/bitcoin/invoices/rows.ts';
import type { CheckoutRow } from '../../backend/channels/checkouts/rows.ts';
import type { Transaction } from '../../backend/foundation/database/database.ts';
import { claimFaults, returnFaults } from './audit-claims.ts';
import { linkFaults } from './audit-links.ts';
import { saleInvoiceFaults } from './audit-terminal-bitcoin.ts';
import { tipFaults, ucpFaults } from './audit-tips.ts';
import { sendingFaults, withdrawalFaults } from './audit-withdrawals.ts';
import { BitcoinRows, bitcoinTables, type PaymentRows, type Rows, skewMs, type Wrote } from './bitcoin-rows.ts';
import type { BookedOutput, BookedSending } from './node-ledger.ts';

const finalStatuses = ['COMPLETE', 'UNDERPAID', 'EXPIRED', 'CANCELLED'];

/** Compares the bitcoin tables with what the node really received. Independent of the product's code. */
export class BitcoinAudit extends BitcoinRows {
  /** By payment, the satoshis refunded so far. */
  #refundedBefore: ReadonlyMap<string, number> = new Map();

  /** Called at the end of each transaction that wrote bitcoin tables. */
  async look(tx: Transaction, payments: PaymentRows, wrote: Wrote): Promise<void> {
    if (!wrote('payments', ...bitcoinTables)) return;
    const {
      invoices,
      receipts,
      claims,
      destinations,
      checkouts,
      links,
      linkInvoices,
      withdrawals,
      tipLinks,
      ucpInvoices,
      saleInvoices,
    } = this;
    const { returns } = this;
    const known = this.#refundedBefore;
    this.#refundedBefore = new Map([...payments].map(([id, { refundedSats }]) => [id, refundedSats]));
    await this.read(tx, wrote);
    for (const { id, revertedAt } of this.receipts.values()) if (revertedAt !== null) this.everReverted.add(id);
    const faults = [
      ...[...this.invoices.values()].flatMap(row => (invoices.has(row.id) ? [] : [...this.#priceFaults(row)])),
      ...this.#receiptFaults(receipts, payments),
      ...claimFaults(claims, this, payments),
      ...returnFaults({ returns, refundedSats: known }, this, payments),
      ...destinationFaults(destinations, this),
      ...[...this.checkouts.values()].flatMap(row => [...this.#checkoutFaults(checkouts.get(row.id), row)]),
      ...linkFaults({ links, linkInvoices, known }, this, payments),
      ...withdrawalFaults(withdrawals, this),
      ...tipFaults(tipLinks, this),
      ...ucpFaults(ucpInvoices, this),
      ...saleInvoiceFaults(saleInvoices, this, payments),
    ];
    for (const fault of faults) this.shop.report(fault);
  }

  checkSending(sending: BookedSending): void {
    for (const fault of sendingFaults(sending, this)) this.shop.report(fault);
  }

  /** Records without an outcome, and received payments that are not recorded. */
  undecided(): string[] {
    const open = [...this.checkouts.values()].filter(({ endedAt }) => endedAt === null).map(({ id }) => id);
    const seen = [...this.receipts.values()].filter(({ status }) => status === 'seen').map(({ id }) => id);
    const asked = [...this.linkInvoices.values()].filter(({ status }) => status === 'open');
    const leaving = [...this.withdrawals.values()].filter(({ finalAt }) => finalAt === null).map(({ id }) => id);
    const requested = [...open, ...seen, ...leaving, ...asked.map(({ invoiceId }) => invoiceId)];
    const atTerminals = [...this.saleInvoices.values()].filter(({ status }) => status === 'open');
    requested.push(...atTerminals.map(({ invoiceId }) => invoiceId));
    return [...requested, ...this.#unknownReceipts(), ...this.#unknownReverts()];
  }

  /** Payments that left the chain permanently before they were deep enough to be no longer checked. */
  #unknownReverts(): string[] {
    const isLost = (row: BitcoinReceiptRow) =>
      row.status === 'confirmed' && row.revertedAt === null && row.isBuried === 0;
    const { outputs } = this.shop.nodeLedger;
    const lost = [...this.receipts.values()].filter(row => isLost(row) && outputs.get(nameOfReceipt(row))?.isGone);
    return lost.map(({ id }) => id);
  }

  /** The state that a crash here would leave behind. */
  state(): unknown {
    const { nodeLedger } = this.shop;
    return [
      [...this.invoices.values()].map(({ status, lightning, address }) => `${status} ${lightning} ${address !== null}`),
      [...this.receipts.values()].map(({ status, revertedAt }) => `${status} ${revertedAt !== null}`),
      [...this.claims.values()].map(({ status, amountSats }) => `${status} ${amountSats}`),
      [...this.checkouts.values()].map(({ status }) => status),
      [...this.linkInvoices.values()].map(({ status, dueSats }) => `${status} ${dueSats}`),
      [...this.withdrawals.values()].map(({ status }) => status),
      [...this.tipLinks.values()].map(({ receivedSats }) => receivedSats),
      [...this.saleInvoices.values()].map(({ status, dueSats }) => `${status} ${dueSats}`),
      [...this.ucpInvoices.values()].map(({ settledAt, acceptedAt }) => `${settledAt !== null} ${acceptedAt !== null}`),
      [...nodeLedger.invoices.values()].map(({ settled, isCancelled }) => `${settled !== null} ${isCancelled}`),
      [...nodeLedger.outputs.values()].map(({ minedAt, isGone }) => `${minedAt} ${isGone}`),
      [...nodeLedger.sendings.values()].map(({ sends, outcome }) => `${sends} ${outcome}`),
    ];
  }

  #unknownReceipts(): string[] {
    const { nodeLedger } = this.shop;
    const confirmed = new Set(
      [...this.receipts.values()].filter(({ status }) => status === 'confirmed').map(nameOfReceipt),
    );
    return [
      ...[...nodeLedger.invoices.values()].flatMap(({ settled, paymentHash }) => (settled ? `${paymentHash}:0` : [])),
      ...[...nodeLedger.outputs].flatMap(([name, { countsSince, isGone }]) =>
        countsSince === null || isGone ? [] : name,
      ),
    ].filter(name => !confirmed.has(name));
  }

  /** The requested satoshis are worth the amount, rounded up, at a recent price of a source. */
  *#priceFaults({ id, amountMinor, amountSats, currency, rate }: BitcoinInvoiceRow) {
    const { quotes, now, stalePriceMs } = this.shop;
    if (rate === null) {
      if (currency !== 'BTC' || amountSats !== amountMinor)
        yield `invoice ${id} over ${amountMinor} asks ${amountSats}`;
      return;
    }
    const [whole = '', decimals = ''] = rate.split('.');
    const [dividend, divisor] = [BigInt(amountMinor) * 10n ** BigInt(6 + decimals.length), BigInt(whole + decimals)];
    const sats = dividend / divisor + (dividend % divisor === 0n ? 0n : 1n);
    if (BigInt(amountSats) !== sats)
      yield `invoice ${id} over ${amountMinor} asks ${amountSats} at ${rate}, not ${sats}`;
    const maxMs = stalePriceMs() ?? Number.POSITIVE_INFINITY;
    if (!quotes.some(({ price, at }) => price === rate && at >= now() - maxMs - skewMs))
      yield `invoice ${id} is priced at ${rate}, which no source returned`;
  }

  /** Every recorded payment was received by the node, once, and a counted one stays one payment. */
  *#receiptFaults(before: Rows<BitcoinReceiptRow>, payments: PaymentRows) {
    for (const { id } of before.values()) if (!this.receipts.has(id)) yield `receipt ${id} is gone`;
    const names = new Set<string>();
    const paidBy = new Set<string>();
    for (const row of this.receipts.values()) {
      const name = nameOfReceipt(row);
      if (names.has(name)) yield `${name} was recorded twice`;
      names.add(name);
      const earlier = before.get(row.id);
      if (earlier?.status === 'confirmed' && (row.status !== 'confirmed' || row.paymentId !== earlier.paymentId))
        yield `receipt ${row.id} counted, and no longer counts`;
      if (row.paymentId !== null) paidBy.add(row.paymentId);
      if (earlier && earlier.status === row.status) continue;
      yield* this.#chainFaults(row);
      if (row.status === 'confirmed') yield* paymentFaults(row, payments);
    }
    for (const { id, method, gatewayReference } of payments.values())
      if ((method === 'lightning' || method === 'onchain') && gatewayReference !== null && !paidBy.has(id))
        yield `payment ${id} counts money that was not received`;
  }

  *#chainFaults(row: BitcoinReceiptRow) {
    const { id, network, txId, vout, amountSats, status, preimage } = row;
    const invoice = this.invoices.get(row.invoiceId);
    const { nodeLedger } = this.shop;
    if (network === 'lightning') {
      const booked = nodeLedger.invoices.get(txId);
      const isTrue =
        invoice?.paymentHash === txId &&
        Math.floor((booked?.settled?.receivedMsat ?? 0) / 1_000) === amountSats &&
        booked?.preimage === preimage;
      if (!isTrue) yield `receipt ${id} of ${amountSats} was not received over Lightning`;
      return;
    }
    const output: BookedOutput | undefined = nodeLedger.outputs.get(`${txId}:${vout}`);
    if (output?.amountSats !== amountSats || output.address !== invoice?.address)
      yield `receipt ${id} of ${amountSats} was not received on chain`;
    if (status === 'confirmed' && output?.countsSince === null) yield `receipt ${id} counts before it has its blocks`;
  }

  *#checkoutFaults(before: CheckoutRow | undefined, row: CheckoutRow) {
    const { id, status, sequence, invoiceId, amountSats } = row;
    if (!before) {
      if (status !== 'PENDING' || sequence !== 1) yield `checkout ${id} began as ${status} ${sequence}`;
      return;
    }
    if (before.paidJson !== row.paidJson && sequence <= before.sequence) yield `checkout ${id} changed unsaid`;
    if (before.status === status) return;
    if (finalStatuses.includes(before.status)) yield `checkout ${id} went from ${before.status} to ${status}`;
    if (sequence <= before.sequence)
      yield `checkout ${id} went from ${before.status} to ${status} without a new sequence number`;
    if (finalStatuses.includes(status) !== (row.endedAt !== null))
      yield `checkout ${id} is ${status}, ended ${row.endedAt}`;
    const [confirmed, seen] = [this.sats(invoiceId, 'confirmed'), this.sats(invoiceId, 'seen')];
    const isPaid = confirmed >= amountSats;
    if (isPaid !== (status === 'COMPLETE')) yield `checkout ${id} is ${status} with ${confirmed} of ${amountSats}`;
    if (status !== 'COMPLETE' && seen > 0 !== (status === 'PROCESSING'))
      yield `checkout ${id} is ${status} with ${seen} unconfirmed`;
    if (status === 'UNDERPAID' || status === 'EXPIRED') yield* this.#endFaults(row, confirmed);
  }

  /** A checkout ends only after its expiry, when every further payment is late. */
  *#endFaults({ id, status, invoiceId, expiresAt }: CheckoutRow, confirmed: number) {
    if (this.shop.now() < expiresAt - skewMs) yield `checkout ${id} is ${status} before its time`;
    if ((status === 'UNDERPAID') !== confirmed > 0) yield `checkout ${id} is ${status} with ${confirmed}`;
    yield* this.stillPayable(`checkout ${id}`, invoiceId);
  }
}

/** Over Lightning the payment hash only. */
function nameOfReceipt({ txId, vout }: BitcoinReceiptRow): string {
  return `${txId}:${vout}`;
}

function* paymentFaults({ id, paymentId, network, txId, amountSats }: BitcoinReceiptRow, payments: PaymentRows) {
  const payment = payments.get(paymentId ?? '');
  if (!payment) yield `receipt ${id} counts without a payment`;
  else if (payment.method !== network || payment.gatewayReference !== txId || payment.amountSats !== amountSats)
    yield `payment ${payment.id} is not what receipt ${id} brought`;
}

/** A given destination is never replaced, and differing destinations make the claim disputed. */
function* destinationFaults(before: BitcoinRows['destinations'], { claims, destinations }: BitcoinRows) {
  for (const [id, given] of before)
    if (given.some((destination, at) => destinations.get(id)?.[at] !== destination))
      yield `claim ${id} had the destination ${given.join()}, which is gone`;
  for (const { id, status, destination } of claims.values()) {
    const given = destinations.get(id) ?? [];
    const [only = null, other] = given;
    if (new Set(given).size !== given.length) yield `claim ${id} was given ${given.join()}`;
    if (destination !== (other === undefined ? only : null))
      yield `claim ${id} goes to ${destination} of ${given.join()}`;
    const expected = only === null ? 'open' : other === undefined ? 'requested' : 'disputed';
    if (status !== 'returned' && status !== expected)
      yield `claim ${id} is ${status} with ${given.length} destinations`;
  }
}

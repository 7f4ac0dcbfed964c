import { minorOfSats } from '@florin/shared/bitcoin.ts';
import { type Clock, type Ids, type Instant, idPrefixes } from '@florin/shared/ports.ts';
import { continueTrace } from '../../foundation/context.ts';
import { nextNumber } from '../../foundation/database/counters.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { untouchedPayment } from '../../money/payments/authorisation.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { insertPayment } from '../../money/payments/store.ts';
import type { AddressPayment, SettledInvoice } from '../nodes/node.ts';
import { type InvoiceProgress, progressOf } from './progress.ts';
import type { BitcoinInvoiceRow, BitcoinReceiptRow, InvoicePurpose } from './rows.ts';
import { nextPollAt } from './schedule.ts';
import type { BitcoinInvoiceSettings } from './settings.ts';
import { insertReceipt, invoiceForUpdate, receiptsOfInvoice, setWatch, updateReceipt } from './store.ts';

/** A change to an invoice, reported to its purpose in the same transaction. */
export type InvoiceChange = {
  readonly invoice: BitcoinInvoiceRow;
  readonly receipts: readonly BitcoinReceiptRow[];
  readonly progress: InvoiceProgress;
};
export type OnInvoiceChanged = (tx: Transaction, change: InvoiceChange) => Promise<void>;
export type Purposes = Readonly<Partial<Record<InvoicePurpose, OnInvoiceChanged>>>;

/** A node's report about an invoice. */
export type NodeReport = {
  readonly settled?: SettledInvoice | undefined;
  /** All payments to its address; undefined if not requested or not answered. */
  readonly onChain?: readonly AddressPayment[] | undefined;
  /** The node accepts no more Lightning payments of it. */
  readonly isLightningClosed?: boolean | undefined;
  /** Whether the node answered every question; undefined for a notification. */
  readonly isComplete?: boolean | undefined;
  /** The Lightning invoice that was polled; null if there was none at the time. */
  readonly paymentHash?: string | null | undefined;
  /** When the poll began: facts recorded later do not contradict it. */
  readonly askedAt?: Instant | undefined;
};

export type Receipts = {
  /** Records a node's report. Safe to repeat, in any order and from several processes. */
  take(tx: Transaction, invoiceId: string, report: NodeReport): Promise<void>;
  /** Ends an invoice that is no longer wanted. Later payments count as late. */
  end(tx: Transaction, invoiceId: string): Promise<void>;
  /**
   * As `end`, unless something was received or its node may still accept a Lightning payment; returns whether it ended.
   */
  endUnpaid(tx: Transaction, invoiceId: string): Promise<boolean>;
};

const untouched = {
  paymentId: null,
  preimage: null,
  confirmedAt: null,
  isBuried: 0,
  revertedAt: null,
} as const;

/** The one place that records bitcoin payments, each exactly once. */
export function bitcoinReceipts(options: {
  clock: Clock;
  ids: Ids;
  events: Events;
  /** A payment that counted is no longer in the chain. */
  onReverted: (tx: Transaction, invoice: BitcoinInvoiceRow, receipt: BitcoinReceiptRow) => Promise<void>;
  purposes: Purposes;
  settings: BitcoinInvoiceSettings;
}): Receipts {
  const { clock, ids, purposes, settings } = options;

  function newReceipt(
    invoice: BitcoinInvoiceRow,
    what: Pick<BitcoinReceiptRow, 'network' | 'txId' | 'vout' | 'amountSats' | 'status'> & Partial<BitcoinReceiptRow>,
  ): BitcoinReceiptRow {
    const { id: invoiceId, businessId } = invoice;
    return {
      ...untouched,
      id: ids.next(idPrefixes.bitcoinReceipt),
      invoiceId,
      businessId,
      seenAt: clock.now(),
      ...what,
    };
  }

  /** Turns a confirmed receipt into a payment of the business, whatever its purpose and however late. */
  async function takePayment(tx: Transaction, invoice: BitcoinInvoiceRow, before: number, receipt: BitcoinReceiptRow) {
    const { businessId, purpose, purposeId, currency, amountSats: wholeSats, amountMinor: wholeMinor } = invoice;
    const worth = (sats: number) => minorOfSats({ sats, wholeSats, wholeMinor });
    // Converted at the invoice's rate; a receipt below the smallest unit still becomes a payment.
    const amountMinor = Math.max(1, worth(before + receipt.amountSats) - worth(before));
    const now = clock.now();
    const paymentLinkId = purpose === 'paymentLink' ? purposeId : null;
    const number = await nextNumber(tx, businessId, 'invoice');
    const payment: PaymentRow = {
      ...untouchedPayment,
      id: ids.next(idPrefixes.payment),
      businessId,
      paymentLinkId,
      terminalId: null,
      saleId: null,
      clientRequestId: receipt.id,
      gatewayAccountId: null,
      invoiceNumber: `INV-${String(number).padStart(6, '0')}`,
      method: receipt.network,
      amountMinor,
      approvedMinor: amountMinor,
      currency,
      amountSats: receipt.amountSats,
      status: 'settled',
      uniqueReference: null,
      gatewayReference: receipt.txId,
      entryMode: null,
      applicationId: null,
      reference: null,
      nextPollAt: null,
      sentAt: null,
      takenAt: now,
      settledAt: now,
      createdAt: now,
    };
    await tx.run(insertPayment, payment);
    const { id: paymentId } = payment;
    const detail = {
      network: receipt.network,
      txId: receipt.txId,
      amountSats: receipt.amountSats,
      amountMinor,
      currency,
    };
    options.events.announce(tx, {
      businessId,
      type: 'bitcoin.received',
      paymentId,
      subjectId: paymentId,
      payload: { ...detail, purpose, purposeId },
    });
    return paymentId;
  }

  async function confirm(
    tx: Transaction,
    invoice: BitcoinInvoiceRow,
    receipts: readonly BitcoinReceiptRow[],
    receipt: BitcoinReceiptRow,
  ): Promise<BitcoinReceiptRow> {
    const before = progressOf(invoice, receipts).confirmedSats;
    const paymentId = await takePayment(tx, invoice, before, receipt);
    return { ...receipt, status: 'confirmed', paymentId, confirmedAt: clock.now() };
  }

  /** The receipts after applying a report. */
  async function afterReport(
    tx: Transaction,
    invoice: BitcoinInvoiceRow,
    known: readonly BitcoinReceiptRow[],
    { settled, onChain, askedAt = clock.now() }: NodeReport,
  ): Promise<BitcoinReceiptRow[]> {
    let receipts = [...known];
    const put = async (receipt: BitcoinReceiptRow, isNew: boolean) => {
      if (isNew) await tx.run(insertReceipt, receipt);
      else await tx.run(updateReceipt, receipt);
      receipts = isNew ? [...receipts, receipt] : receipts.map(one => (one.id === receipt.id ? receipt : one));
    };
    if (settled && !receipts.some(({ network }) => network === 'lightning')) {
      const { paymentHash: txId, preimage, receivedMsat } = settled;
      const amountSats = Math.floor(receivedMsat / 1_000);
      const what = { network: 'lightning', txId, vout: 0, amountSats, preimage, status: 'seen', isBuried: 1 } as const;
      await put(await confirm(tx, invoice, receipts, newReceipt(invoice, what)), true);
    }
    for (const payment of onChain ?? []) {
      const { txId, vout, amountSats, confirmations } = payment;
      const before = receipts.find(one => one.network === 'onchain' && one.txId === txId && one.vout === vout);
      const receipt = before ?? newReceipt(invoice, { network: 'onchain', txId, vout, amountSats, status: 'seen' });
      const after = await follow(tx, invoice, receipts, receipt, confirmations);
      if (after !== before) await put(after, before === undefined);
    }
    if (onChain) {
      const listed = new Set(onChain.map(({ txId, vout }) => `${txId}:${vout}`));
      const isGone = (one: BitcoinReceiptRow) =>
        one.network === 'onchain' &&
        !listed.has(`${one.txId}:${one.vout}`) &&
        (one.confirmedAt ?? one.seenAt) < askedAt;
      for (const receipt of receipts.filter(isGone))
        if (receipt.status === 'seen') await put({ ...receipt, status: 'replaced' }, false);
        else if (receipt.status === 'confirmed' && receipt.revertedAt === null && receipt.isBuried === 0) {
          await put({ ...receipt, revertedAt: clock.now() }, false);
          await options.onReverted(tx, invoice, receipt);
        }
    }
    return receipts;
  }

  /** The receipt of an on-chain payment; the same object if nothing changed. */
  async function follow(
    tx: Transaction,
    invoice: BitcoinInvoiceRow,
    receipts: readonly BitcoinReceiptRow[],
    receipt: BitcoinReceiptRow,
    confirmations: number,
  ): Promise<BitcoinReceiptRow> {
    const isBuried = confirmations >= settings.buriedAfter ? 1 : 0;
    if (receipt.status === 'confirmed') {
      const isBack = receipt.revertedAt !== null && confirmations > 0;
      const isChanged = isBack || receipt.isBuried < isBuried;
      return isChanged ? { ...receipt, isBuried, revertedAt: isBack ? null : receipt.revertedAt } : receipt;
    }
    if (confirmations >= settings.confirmations)
      return { ...(await confirm(tx, invoice, receipts, receipt)), isBuried };
    return receipt.status === 'seen' ? receipt : { ...receipt, status: 'seen' };
  }

  /** Whether no payment can arrive in time any more. */
  function isOver(invoice: BitcoinInvoiceRow, progress: InvoiceProgress, report: NodeReport): boolean {
    if (progress.confirmedSats >= invoice.amountSats) return true;
    const isAboutAll = report.isComplete === true && report.paymentHash === invoice.paymentHash;
    const isReportedToTheEnd = isAboutAll && (report.askedAt ?? 0) >= invoice.expiresAt;
    return isReportedToTheEnd || clock.now() >= invoice.expiresAt + settings.endWaitsForMs;
  }

  async function save(
    tx: Transaction,
    before: BitcoinInvoiceRow,
    receipts: readonly BitcoinReceiptRow[],
    report: NodeReport,
  ) {
    const now = clock.now();
    const wasOpen = before.status === 'open';
    const ends = wasOpen && isOver(before, progressOf(before, receipts), report);
    const invoice: BitcoinInvoiceRow = {
      ...before,
      status: ends ? 'ended' : before.status,
      endedAt: ends ? now : before.endedAt,
      lightning: report.isLightningClosed || report.settled ? 'closed' : before.lightning,
      ...(report.isComplete === undefined ? {} : answered(before, report.isComplete, now)),
    };
    const watched = { ...invoice, nextPollAt: nextPollAt(invoice, receipts, now, settings) };
    await tx.run(setWatch, watched);
    return { invoice: watched, ends };
  }

  async function end(tx: Transaction, before: BitcoinInvoiceRow, receipts: readonly BitcoinReceiptRow[]) {
    const now = clock.now();
    const invoice: BitcoinInvoiceRow = { ...before, status: 'ended', endedAt: now };
    await tx.run(setWatch, { ...invoice, nextPollAt: nextPollAt(invoice, receipts, now, settings) });
  }

  return {
    async take(tx, invoiceId, report) {
      const before = await tx.first(invoiceForUpdate, { id: invoiceId });
      if (!before) return;
      await continueTrace(before.trace, async () => {
        const known = await tx.all(receiptsOfInvoice, { invoiceId });
        const receipts = await afterReport(tx, before, known, report);
        const { invoice, ends } = await save(tx, before, receipts, report);
        const isChanged = ends || receipts.length !== known.length || receipts.some((one, at) => one !== known[at]);
        if (isChanged)
          await purposes[invoice.purpose]?.(tx, { invoice, receipts, progress: progressOf(invoice, receipts) });
      });
    },

    async end(tx, invoiceId) {
      const before = await tx.first(invoiceForUpdate, { id: invoiceId });
      if (before?.status === 'open') await end(tx, before, await tx.all(receiptsOfInvoice, { invoiceId }));
    },

    async endUnpaid(tx, invoiceId) {
      const before = await tx.first(invoiceForUpdate, { id: invoiceId });
      const receipts = await tx.all(receiptsOfInvoice, { invoiceId });
      if (!before || before.lightning === 'open' || receipts.length > 0) return false;
      if (before.status === 'open') await end(tx, before, receipts);
      return true;
    },
  };
}

function answered(before: BitcoinInvoiceRow, isComplete: boolean, now: Instant) {
  return isComplete
    ? { answeredAt: now, unansweredPolls: 0 }
    : { answeredAt: before.answeredAt, unansweredPolls: before.unansweredPolls + 1 };
}

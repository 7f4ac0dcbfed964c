import { type Actor, actorColumns, system } from '@florin/shared/actor.ts';
import { satsOf } from '@florin/shared/bitcoin.ts';
import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { excessPayments } from '../../bitcoin/invoices/excess.ts';
import { progressOf, splitByExcess } from '../../bitcoin/invoices/progress.ts';
import type { InvoiceChange, OnInvoiceChanged } from '../../bitcoin/invoices/receipts.ts';
import type { BitcoinInvoices } from '../../bitcoin/invoices/service.ts';
import { invoiceForUpdate, receiptsOfInvoice } from '../../bitcoin/invoices/store.ts';
import type { Rates } from '../../bitcoin/rates/service.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Discrepancies } from '../../money/discrepancies/discrepancies.ts';
import type { SaleEndings } from '../../money/payments/completion.ts';
import { lockedMachine } from '../../money/payments/machine-lock.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { SaleRecords } from '../../money/payments/sale-records.ts';
import { earlyReversal, paymentById, paymentBySale } from '../../money/payments/store.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import type { TerminalService } from '../terminals/service.ts';
import { bitcoinFactsOf, bitcoinSaleOf, dueOf, stateByInvoice, statusAfter } from './bitcoin-sale.ts';
import type { SaleInvoiceRow, TerminalSaleRow } from './rows.ts';
import {
  assignPayment,
  insertSale,
  insertSaleInvoice,
  lastSaleInvoice,
  openSaleInvoice,
  saleForUpdate,
  saleInvoice,
  setLateMetadata,
  updateSaleInvoice,
} from './store.ts';
import { type SaleState, storedRecordOf } from './terminal-sale.ts';
import { isSaleOfMachine, type SaleTransitions } from './transitions.ts';

type Terminal = { readonly businessId: string; readonly terminalId: string };
type Amount = { readonly amountMinor: number; readonly currency: string };
/** `reference`: what staff noted of a sale that they keyed in. */
type Requested = Amount & { readonly reference: string | null };

export type PriceRefusal =
  | { readonly kind: 'bitcoin_not_available' }
  | { readonly kind: 'amount_out_of_range' }
  | { readonly kind: 'rate_unavailable'; readonly retryAfterSeconds: number };

export type BitcoinSaleRefusal =
  | PriceRefusal
  | { readonly kind: 'currency_differs'; readonly currency: string }
  /** Not payable yet. Retrying is safe. */
  | { readonly kind: 'node_unreachable' }
  /** Its card authorisation was sent. */
  | { readonly kind: 'payment_in_progress' }
  | { readonly kind: 'sale_differs' }
  | { readonly kind: 'sale_ended' }
  | { readonly kind: 'sale_of_another_terminal' }
  | { readonly kind: 'terminal_busy' };

/** Bitcoin as the second rail of a terminal sale. */
export type SaleBitcoin = {
  /** The current price of an amount in satoshis, if the business's customers can pay it. */
  price(businessId: string, amount: Amount): Promise<Result<{ amountSats: number; rate: string }, PriceRefusal>>;
  /** Reserves a sale and requests its amount; a sale not started over the API was keyed in at the terminal. */
  open(terminal: Terminal, saleId: string, requested: Requested): Promise<Result<BitcoinSale, BitcoinSaleRefusal>>;
  /** The current state; undefined if the terminal has no such sale. */
  find(terminal: Terminal, saleId: string): Promise<BitcoinSale | undefined>;
  /** Withdraws it unless something was paid; returns its state. */
  withdraw(terminal: Terminal, saleId: string, withdrawal: Withdrawal): Promise<Result<BitcoinSale, WithdrawalRefusal>>;
  /** Cancels a sale for its API caller unless it is being paid; undefined without an open bitcoin request. */
  cancel(tx: Transaction, saleId: string, cancelled: Cancelled): Promise<TerminalSaleRow | undefined>;
  /** Records a Lightning payment in progress; no other is accepted from then on. */
  stop(saleId: string): Promise<void>;
  readonly onInvoiceChanged: OnInvoiceChanged;
};

type Withdrawal = {
  readonly to: 'card' | 'end';
  readonly reason: 'staff_cancelled' | 'customer_cancelled' | 'node_unreachable';
};
export type WithdrawalRefusal = { readonly kind: 'sale_not_found' } | { readonly kind: 'node_unreachable' };
type Cancelled = { readonly state: SaleState; readonly by: Actor };

/**
 * The bitcoin side of a terminal sale: one open request at a time, which excludes the card until it is withdrawn or has
 * ended.
 */
export function saleBitcoin(options: {
  database: Database;
  clock: Clock;
  events: Events;
  rates: Rates;
  invoices: BitcoinInvoices;
  businesses: Pick<BusinessService, 'find'>;
  discrepancies: Discrepancies;
  records: Pick<SaleRecords, 'of'>;
  endings: Pick<SaleEndings, 'complete'>;
  terminals: Pick<TerminalService, 'find'>;
  transitions: SaleTransitions;
  lifetimeMs: number;
}): SaleBitcoin {
  const { database, clock, events, rates, invoices, businesses, transitions } = options;
  const excess = excessPayments({ ...options, claims: () => invoices.claims });

  async function price(businessId: string, amount: Amount) {
    const rate = await rates.current(amount.currency);
    const amountSats = rate && satsOf(amount, rate.price);
    const networks = amountSats === undefined ? [] : await invoices.networks(businessId, amountSats);
    const whyNone = networks.length === 0 ? await invoices.whyNone(businessId) : undefined;
    if (whyNone === 'bitcoin_not_available') return err({ kind: whyNone } as const);
    if (!rate || amountSats === undefined) return err({ kind: 'rate_unavailable', retryAfterSeconds: 10 } as const);
    if (whyNone) return err({ kind: whyNone } as const);
    return ok({ amountSats, rate: rate.price });
  }

  /** The locked sale to pay; a sale keyed in at the terminal starts here. */
  async function reserved(
    tx: Transaction,
    { businessId, terminalId }: Terminal,
    requested: Requested & { readonly saleId: string; readonly serial: string },
  ): Promise<Result<TerminalSaleRow, BitcoinSaleRefusal>> {
    const { saleId, amountMinor, currency } = requested;
    // Serialised with its authorisation.
    const { machineId } = await lockedMachine(tx, terminalId);
    const known = await tx.first(saleForUpdate, { id: saleId });
    if (await tx.first(paymentBySale, { businessId, terminalId, saleId })) return err({ kind: 'payment_in_progress' });
    if (await tx.first(earlyReversal, { machineId, saleId })) return err({ kind: 'sale_ended' });
    if (!known) {
      const sale = keyedInSale({ ...requested, businessId, terminalId });
      return (await tx.run(insertSale, sale)) === 1 ? ok(sale) : err({ kind: 'terminal_busy' });
    }
    if (!(await isSaleOfMachine(tx, known, { businessId, terminalId })))
      return err({ kind: 'sale_of_another_terminal' });
    if (known.endedAt !== null || known.endRequested !== null || known.type !== 'sale')
      return err({ kind: 'sale_ended' });
    // Such a reader charges without the service.
    if (known.atReaderAt !== null) return err({ kind: 'payment_in_progress' });
    if (known.mode === 'card') return err({ kind: 'bitcoin_not_available' });
    const isSame = known.amountMinor === amountMinor && known.currency === currency;
    return isSame ? ok(known) : err({ kind: 'sale_differs' });
  }

  function keyedInSale(sale: Terminal & Requested & { saleId: string; serial: string }): TerminalSaleRow {
    const { saleId: id, terminalId, ...facts } = sale;
    const now = clock.now();
    const { actorKind, actorId } = actorColumns({ kind: 'terminal', terminalId });
    return {
      ...facts,
      id,
      terminalId,
      type: 'sale',
      mode: 'bitcoin',
      originalPaymentId: null,
      status: 'PENDING',
      statusReason: 'awaiting_terminal',
      sequence: 1,
      reportSequence: 0,
      rail: null,
      metadataJson: '{}',
      receiptPrinted: null,
      atReaderAt: null,
      endRequested: null,
      leftTerminalAt: null,
      actorKind,
      actorId,
      expiresAt: now + options.lifetimeMs,
      dueAt: now + options.lifetimeMs,
      createdAt: now,
      updatedAt: now,
      endedAt: null,
    };
  }

  async function ask(
    tx: Transaction,
    sale: TerminalSaleRow,
    priced: { amountSats: number; rate: string },
    merchant: string,
  ): Promise<string> {
    const { id: saleId, businessId, terminalId, amountMinor, currency, expiresAt, reference } = sale;
    const open = await tx.first(openSaleInvoice, { saleId });
    if (open) return open.invoiceId;
    const memo = [merchant.slice(0, 60), reference?.slice(0, 60)].filter(Boolean).join(': ');
    const about = { businessId, purpose: 'terminalSale', purposeId: saleId, memo } as const;
    const invoice = invoices.create(tx, { ...about, ...priced, amountMinor, currency, expiresAt });
    const row: SaleInvoiceRow = {
      invoiceId: invoice.id,
      businessId,
      terminalId,
      saleId,
      status: 'open',
      sequence: 1,
      dueSats: 0,
      createdAt: clock.now(),
    };
    await tx.run(insertSaleInvoice, row);
    const change = { invoice, receipts: [], progress: progressOf(invoice, []) };
    await transitions.move(tx, sale, {
      status: 'PROCESSING',
      statusReason: 'awaiting_payment',
      metadataJson: metadataOf(change, undefined),
      dueAt: sale.expiresAt,
    });
    return invoice.id;
  }

  const metadataOf = ({ invoice, progress }: InvoiceChange, payment: PaymentRow | undefined) =>
    JSON.stringify({ bitcoin: bitcoinFactsOf(invoice, progress, payment) });

  async function saved(tx: Transaction, row: SaleInvoiceRow): Promise<void> {
    const { businessId, terminalId, saleId } = row;
    await tx.run(updateSaleInvoice, { ...row, sequence: row.sequence + 1 });
    const payload = { terminalId, saleId };
    events.announce(tx, { type: 'terminal_sale.bitcoin_changed', businessId, subjectId: saleId, payload });
  }

  /** Makes the payment that paid it the sale's payment. */
  async function completed(
    tx: Transaction,
    { id: saleId, reference, terminalId }: TerminalSaleRow,
    change: InvoiceChange,
  ) {
    const { invoice, receipts, progress } = change;
    const id = splitByExcess(receipts, progress.confirmedSats - invoice.amountSats).paying[0]?.paymentId;
    if (!id) throw new Error(`sale ${saleId} was paid by nothing`);
    await tx.run(assignPayment, { id, terminalId, saleId, reference });
    return options.endings.complete(tx, id, system);
  }

  /** Records a payment after the end of a sale, without another end event. */
  async function takeLate(tx: Transaction, row: SaleInvoiceRow, sale: TerminalSaleRow, change: InvoiceChange) {
    const { businessId, saleId, invoiceId } = row;
    const { bitcoin } = storedRecordOf(sale).metadata;
    if (!bitcoin || (await tx.first(lastSaleInvoice, { businessId, saleId }))?.invoiceId !== invoiceId) return;
    const { receipts, invoice, progress } = change;
    const lastId = receipts.findLast(({ paymentId }) => paymentId !== null)?.paymentId;
    const last = lastId && bitcoin.paymentId === null ? await tx.first(paymentById, { businessId, id: lastId }) : null;
    const { paymentId, invoiceNumber } = bitcoin;
    const facts = {
      ...bitcoinFactsOf(invoice, progress, last ?? undefined),
      ...(last ? {} : { paymentId, invoiceNumber }),
    };
    const metadataJson = JSON.stringify({ bitcoin: facts });
    if (metadataJson === sale.metadataJson) return;
    await tx.run(setLateMetadata, { id: saleId, metadataJson, sequence: sale.sequence + 1, updatedAt: clock.now() });
  }

  /** Applies a payment, with the invoice and the sale locked. */
  async function apply(tx: Transaction, row: SaleInvoiceRow, sale: TerminalSaleRow, change: InvoiceChange) {
    const { invoice, progress } = change;
    const before = row.status === 'open' && sale.endedAt !== null ? ({ ...row, status: 'withdrawn' } as const) : row;
    const status = statusAfter(before, invoice, progress);
    const isNewlyPaid = status === 'paid' && before.status === 'open';
    const payment = isNewlyPaid ? await completed(tx, sale, change) : undefined;
    const state = before.status === 'open' ? stateByInvoice({ status }, progress) : undefined;
    const metadataJson = metadataOf(change, payment);
    if (state)
      await transitions.move(tx, sale, {
        ...state,
        rail: progress.txIds.length > 0 ? 'bitcoin' : sale.rail,
        metadataJson,
        // A part may be confirmed without being seen before; the sale then waits as before.
        isShownAtOnce: metadataJson !== sale.metadataJson,
      });
    else if (sale.endedAt !== null) await takeLate(tx, row, sale, change);
    const due = dueOf({ status }, invoice, progress);
    const dueSats = Math.max(before.dueSats, due?.amountSats ?? 0);
    if (due && dueSats > before.dueSats) await excess(tx, change, due, { saleId: before.saleId });
    await saved(tx, { ...before, status, dueSats });
  }

  /** The open request of a locked invoice, with its sale locked; undefined if it has ended. */
  async function locked(tx: Transaction, invoiceId: string) {
    const invoice = await tx.first(invoiceForUpdate, { id: invoiceId });
    const row = await tx.first(saleInvoice, { invoiceId });
    const sale = row && (await tx.first(saleForUpdate, { id: row.saleId }));
    // Read again: the previous holder of the sale's lock may have changed it.
    const now = sale && (await tx.first(saleInvoice, { invoiceId }));
    if (!invoice || !sale || !now) throw new Error(`invoice ${invoiceId} is for no sale`);
    const receipts = await tx.all(receiptsOfInvoice, { invoiceId });
    return { invoice, row: now, sale, receipts, progress: progressOf(invoice, receipts) };
  }

  async function end(tx: Transaction, request: Awaited<ReturnType<typeof locked>>): Promise<void> {
    const { row, receipts } = request;
    await invoices.end(tx, row.invoiceId);
    const invoice = { ...request.invoice, status: 'ended' } as const;
    const change = { invoice, receipts, progress: progressOf(invoice, receipts) };
    await apply(tx, { ...row, status: 'withdrawn' }, request.sale, change);
  }

  async function present(row: SaleInvoiceRow): Promise<BitcoinSale> {
    const found = await invoices.find(row.invoiceId);
    if (!found) throw new Error(`invoice ${row.invoiceId} is missing`);
    const { businessId, terminalId, saleId } = row;
    const paid = row.status === 'paid' && (await database.first(paymentBySale, { businessId, terminalId, saleId }));
    const record = paid ? await options.records.of(paid) : null;
    const { invoice, receipts } = found;
    return bitcoinSaleOf(row, { invoice, receipts, progress: progressOf(invoice, receipts) }, record, clock.now());
  }

  async function find(terminal: Terminal, saleId: string): Promise<BitcoinSale | undefined> {
    const row = await database.first(lastSaleInvoice, { businessId: terminal.businessId, saleId });
    return row && (await isSaleOfMachine(database, row, terminal)) ? present(row) : undefined;
  }

  async function open(
    terminal: Terminal,
    saleId: string,
    amount: Requested,
  ): Promise<Result<BitcoinSale, BitcoinSaleRefusal>> {
    const { businessId, terminalId } = terminal;
    const business = await businesses.find(businessId);
    const machine = await options.terminals.find(businessId, terminalId);
    if (!business || !machine) throw new Error(`terminal ${terminalId} belongs to no business`);
    if (business.currency !== amount.currency) return err({ kind: 'currency_differs', currency: business.currency });
    const priced = await price(businessId, amount);
    if (!priced.ok) return priced;
    const asked = await database.write(async (tx): Promise<Result<string, BitcoinSaleRefusal>> => {
      const sale = await reserved(tx, terminal, { saleId, ...amount, serial: machine.serial ?? '' });
      return sale.ok ? ok(await ask(tx, sale.value, priced.value, business.name)) : sale;
    });
    if (!asked.ok) return asked;
    const networks = await invoices.networks(businessId, priced.value.amountSats);
    const opened = await Promise.all(networks.map(network => invoices.open(asked.value, network)));
    const found = await find(terminal, saleId);
    const isUnreachable = opened.every(one => !one.ok && one.refusal.kind === 'node_unreachable');
    return !found || (isUnreachable && found.paymentUri === null) ? err({ kind: 'node_unreachable' }) : ok(found);
  }

  async function stop(saleId: string): Promise<void> {
    const row = await database.first(openSaleInvoice, { saleId });
    if (row) await invoices.stop(row.invoiceId);
  }

  return {
    price,
    open,
    find,

    stop,

    async withdraw(terminal, saleId, { to, reason }) {
      if (!(await find(terminal, saleId))) return err({ kind: 'sale_not_found' });
      await stop(saleId);
      const isRefused = await database.write(async tx => {
        const asked = await tx.first(openSaleInvoice, { saleId });
        if (!asked) return false;
        const request = await locked(tx, asked.invoiceId);
        const { invoice, row, sale, progress } = request;
        // The card pays the whole amount: only if nothing arrived, and nothing can arrive over Lightning.
        const isPaidInPart = to === 'card' ? progress.txIds.length > 0 : progress.seenSats > 0;
        if (row.status !== 'open' || isPaidInPart) return false;
        if (to === 'card' && invoice.lightning === 'open') return true;
        await end(tx, request);
        const by = { kind: 'terminal', terminalId: terminal.terminalId } as const;
        const isKeyedIn = sale.actorKind === 'terminal';
        if (to === 'card' && !isKeyedIn)
          await transitions.move(tx, sale, {
            status: 'PROCESSING',
            statusReason: 'awaiting_reader',
            metadataJson: '{}',
            by,
          });
        else await transitions.move(tx, sale, { ...withdrawnState(reason), by });
        return false;
      });
      if (isRefused) return err({ kind: 'node_unreachable' });
      const found = await find(terminal, saleId);
      return found ? ok(found) : err({ kind: 'sale_not_found' });
    },

    async cancel(tx, saleId, { state, by }) {
      const open = await tx.first(openSaleInvoice, { saleId });
      if (!open) return undefined;
      const request = await locked(tx, open.invoiceId);
      const { row, sale, progress } = request;
      if (row.status !== 'open') return undefined;
      // An unconfirmed payment was sent: it is waited for.
      if (progress.seenSats > 0) return sale;
      await end(tx, request);
      return transitions.endUnpaid(tx, sale, state, by);
    },

    async onInvoiceChanged(tx, change) {
      const { row, sale } = await locked(tx, change.invoice.id);
      await apply(tx, row, sale, change);
    },
  };
}

function withdrawnState(reason: Withdrawal['reason']): SaleState {
  return reason === 'node_unreachable'
    ? { status: 'ERROR', statusReason: reason }
    : { status: 'CANCELLED_REMOTE', statusReason: reason };
}

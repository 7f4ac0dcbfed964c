import { type Actor, actorColumns } from '@florin/shared/actor.ts';
import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { NewTerminalSale, TerminalSaleRecord, TerminalUse } from '@florin/shared/contracts/terminal-sales.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import { isBitcoin, timestamp, tookMoney } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import type { SaleRecords } from '../../money/payments/sale-records.ts';
import type { ReceiptAddresses } from '../../money/receipts/address.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import type { TerminalRow } from '../terminals/rows.ts';
import type { TerminalService } from '../terminals/service.ts';
import type { PriceRefusal, SaleBitcoin } from './bitcoin.ts';
import type { TerminalChannels } from './channels.ts';
import type { TerminalSaleRow } from './rows.ts';
import {
  insertSale,
  paymentOfSale,
  type SaleList,
  saleById,
  terminalBySerial,
  terminalSalesOfBusiness,
} from './store.ts';
import { keyedInSaleRecordOf, terminalSaleRecordOf } from './terminal-sale.ts';
import type { SaleTransitions } from './transitions.ts';

/** The requester and the terminals it may use; null for all of the business. */
export type SaleCaller = {
  readonly businessId: string;
  readonly terminalIds: ReadonlySet<string> | null;
};

export type StartRefusal =
  | { readonly kind: 'terminal_not_found' }
  | { readonly kind: 'currency_differs'; readonly currency: string }
  | PriceRefusal
  | { readonly kind: 'terminal_busy'; readonly saleId: string | null; readonly busy: TerminalUse | null }
  | RefundRefusal;

export type RefundRefusal =
  | { readonly kind: 'original_sale_not_found' }
  | { readonly kind: 'sale_took_no_money' }
  | { readonly kind: 'payment_already_cancelled' }
  | { readonly kind: 'not_a_card_payment' }
  | { readonly kind: 'refund_exceeds_payment'; readonly remaining: number }
  | { readonly kind: 'refund_in_progress' }
  | { readonly kind: 'payment_settling'; readonly retryAfter: string | null }
  /** Before settlement only the whole amount can be voided. */
  | { readonly kind: 'payment_not_settled'; readonly remaining: number }
  | { readonly kind: 'payment_outcome_unknown' }
  /** The service itself is returning the money. */
  | { readonly kind: 'sale_not_refundable' };

type Original = {
  readonly paymentId: string;
  readonly record: SaleRecord;
  readonly operation: 'CANCEL' | 'REFUND_SALE';
};

export type StartRequest = SaleCaller & {
  readonly input: NewTerminalSale;
  readonly by: Actor;
  /** The requester's name, shown at the terminal. */
  readonly requestedBy: string;
  readonly write: DurableWrite<TerminalSaleRow>;
};

/** Sales started over the API on terminals. decisions: Terminal sales and the kiosk API. */
export type TerminalSaleService = {
  start(request: StartRequest): Promise<Result<TerminalSaleRow, StartRefusal>>;
  /** Undefined if the caller has no such sale. */
  find(caller: SaleCaller, id: string): Promise<TerminalSaleRow | undefined>;
  /** As `find`, as an API record, and including card sales keyed in at a terminal of the business. */
  read(caller: SaleCaller, id: string): Promise<TerminalSaleRecord | undefined>;
  list(options: SaleList): Promise<TerminalSaleRow[]>;
  /** Cancels it unless its authorisation was sent; a card sale with `unknown_outcome` is cancelled too. Idempotent. */
  cancel(
    caller: SaleCaller,
    id: string,
    options: { readonly by: Actor; readonly write: DurableWrite<TerminalSaleRow> },
  ): Promise<TerminalSaleRow | undefined>;
};

export type TerminalSaleSettings = {
  /** How long a sale waits for its terminal and customer. */
  readonly lifetimeMs: number;
  /** The time without a report after which a terminal is unreachable. */
  readonly unreachableAfterMs: number;
};

export const defaultTerminalSales: TerminalSaleSettings = { lifetimeMs: 5 * 60_000, unreachableAfterMs: 3_000 };

const busyWith = (busy: TerminalUse | null) => ({ kind: 'terminal_busy', saleId: busy?.saleId ?? null, busy }) as const;

/**
 * Starts, reads and cancels terminal sales. A unique index decides whether a terminal is busy, so of two starts at once
 * one is refused.
 */
export function terminalSaleService(options: {
  database: Database;
  clock: Clock;
  ids: Ids;
  businesses: Pick<BusinessService, 'find'>;
  transitions: SaleTransitions;
  channels: TerminalChannels;
  bitcoin: Pick<SaleBitcoin, 'price' | 'stop' | 'cancel'>;
  records: Pick<SaleRecords, 'of'>;
  receipts: ReceiptAddresses;
  terminals: Pick<TerminalService, 'find'>;
  /** The payment, after polling the gateway for its settlement. */
  refreshed: (payment: PaymentRow) => Promise<PaymentRow>;
  settings: TerminalSaleSettings;
}): TerminalSaleService {
  const { database, clock, ids, transitions, channels, settings } = options;

  async function terminalFor({ businessId, terminalIds }: SaleCaller, serial: string) {
    const terminal = await database.first(terminalBySerial, { businessId, serial });
    return terminal && (terminalIds === null || terminalIds.has(terminal.id)) ? terminal : undefined;
  }

  async function find({ businessId, terminalIds }: SaleCaller, id: string): Promise<TerminalSaleRow | undefined> {
    const sale = await database.first(saleById, { id });
    if (sale?.businessId !== businessId) return undefined;
    return terminalIds === null || terminalIds.has(sale.terminalId) ? sale : undefined;
  }

  /** The sale to refund, and the operation; null for a sale. */
  async function originalOf({
    businessId,
    terminalIds,
    input,
  }: StartRequest): Promise<Result<Original | null, RefundRefusal>> {
    const { originalSaleId: saleId, amountInCents } = input;
    if (saleId === undefined) return ok(null);
    const found = await database.first(paymentOfSale, { businessId, saleId });
    if (!found) {
      const unpaid = await find({ businessId, terminalIds }, saleId);
      return err({ kind: unpaid ? 'sale_took_no_money' : 'original_sale_not_found' });
    }
    if (terminalIds?.has(found.terminalId ?? '') === false) return err({ kind: 'original_sale_not_found' });
    // It may have just settled, which decides between a void and a refund.
    const payment = await options.refreshed(found);
    const record = await options.records.of(payment);
    const refusal = whyNotRefundable(payment, record, amountInCents);
    if (refusal) return err(refusal);
    return ok({ paymentId: payment.id, record, operation: record.action === 'void' ? 'CANCEL' : 'REFUND_SALE' });
  }

  /** The offered rails. Without a bitcoin price or node the card remains, if it is allowed. */
  async function railsOf(
    businessId: string,
    { mode, type, amountInCents: amountMinor, currency }: NewTerminalSale,
  ): Promise<Result<readonly ('card' | 'bitcoin')[], PriceRefusal>> {
    if (mode === 'card' || type === 'refund') return ok(['card']);
    const priced = await options.bitcoin.price(businessId, { amountMinor, currency });
    if (mode === 'bitcoin') return priced.ok ? ok(['bitcoin']) : priced;
    return ok(priced.ok ? ['card', 'bitcoin'] : ['card']);
  }

  function newSale({ businessId, input, by }: StartRequest, terminal: TerminalRow, isOnline: boolean) {
    const now = clock.now();
    const { serial, type, mode, amountInCents, currency, reference = null } = input;
    const { actorKind, actorId } = actorColumns(by);
    const expiresAt = now + settings.lifetimeMs;
    return {
      id: ids.next(idPrefixes.sale),
      businessId,
      terminalId: terminal.id,
      serial,
      type,
      mode,
      amountMinor: amountInCents,
      currency,
      reference,
      status: 'PENDING',
      statusReason: isOnline ? 'awaiting_terminal' : 'terminal_unreachable',
      sequence: 1,
      reportSequence: 0,
      rail: null,
      metadataJson: '{}',
      receiptPrinted: null,
      actorKind,
      actorId,
      atReaderAt: null,
      endRequested: null,
      leftTerminalAt: null,
      expiresAt,
      dueAt: isOnline ? Math.min(now + settings.unreachableAfterMs, expiresAt) : expiresAt,
      createdAt: now,
      updatedAt: now,
      endedAt: null,
    } as const satisfies Omit<TerminalSaleRow, 'originalPaymentId'>;
  }

  return {
    async start(request) {
      const { businessId, input, requestedBy, write } = request;
      const terminal = await terminalFor(request, input.serial);
      if (!terminal) return err({ kind: 'terminal_not_found' });
      const business = await options.businesses.find(businessId);
      const currency = business?.currency ?? '';
      if (input.currency !== currency) return err({ kind: 'currency_differs', currency });
      const rails = await railsOf(businessId, input);
      if (!rails.ok) return rails;
      const found = await originalOf(request);
      if (!found.ok) return found;
      const original = found.value;
      const channel = await channels.of(terminal.id);
      return database.write(async (tx): Promise<Result<TerminalSaleRow, StartRefusal>> => {
        await write.begin(tx);
        if (channel?.isOnline && channel.use) return err(busyWith(channel.use));
        const sale = {
          ...newSale(request, terminal, channel?.isOnline ?? false),
          originalPaymentId: original?.paymentId ?? null,
        };
        if ((await tx.run(insertSale, sale)) === 0) {
          return err(busyWith(await channels.useBySale(tx, terminal.id)));
        }
        const { operation = 'CANCEL', record } = original ?? {};
        await transitions.give(tx, sale, {
          ...(record ? { kind: 'start_refund', operation, original: record } : { kind: 'start_sale' }),
          commandId: ids.next(idPrefixes.command),
          saleId: sale.id,
          expiresAt: timestamp(sale.expiresAt),
          amountInCents: sale.amountMinor,
          currency,
          requestedBy,
          reference: sale.reference,
          language: input.language ?? null,
          shouldPrint: input.shouldPrint,
          rails: [...rails.value],
        });
        await write.finish(tx, sale);
        return ok(sale);
      });
    },

    find,

    async read(caller, id) {
      const sale = await find(caller, id);
      if (sale) return terminalSaleRecordOf(sale, options.receipts);
      const payment = await database.first(paymentOfSale, { businessId: caller.businessId, saleId: id });
      const terminal = payment?.terminalId && (await options.terminals.find(caller.businessId, payment.terminalId));
      return payment && terminal
        ? keyedInSaleRecordOf(payment, { serial: terminal.serial ?? '', receipts: options.receipts })
        : undefined;
    },

    list: list => database.all(terminalSalesOfBusiness, list),

    async cancel(caller, id, { by, write }) {
      if (!(await find(caller, id))) return undefined;
      await options.bitcoin.stop(id);
      return write.run(async tx => {
        const cancellation = { state: { status: 'CANCELLED', statusReason: 'cancelled_by_caller' }, by } as const;
        const asked = await options.bitcoin.cancel(tx, id, cancellation);
        if (asked) return asked;
        const locked = await transitions.lock(tx, id);
        if (!locked) throw new Error(`sale ${id} is missing`);
        const { sale, money } = locked;
        if (sale.endedAt !== null) return sale;
        if (money) return transitions.cancelUnanswered(tx, sale, money, by);
        // Bitcoin may have been requested while this waited for the lock.
        const askedNow = await options.bitcoin.cancel(tx, id, cancellation);
        if (askedNow) return askedNow;
        if (sale.atReaderAt !== null) return transitions.requestEnd(tx, sale, 'cancelled_by_caller', by);
        return transitions.endUnpaid(tx, sale, cancellation.state, by);
      });
    },
  };
}

function whyNotRefundable(payment: PaymentRow, record: SaleRecord, amountMinor: number): RefundRefusal | undefined {
  const { remainingInCents: remaining, action, blocked } = record;
  if (isBitcoin(payment.method)) return { kind: 'not_a_card_payment' };
  if (payment.status === 'cancelled') return { kind: 'payment_already_cancelled' };
  if (payment.status === 'pending') return { kind: 'payment_outcome_unknown' };
  if (!tookMoney(payment)) return { kind: 'sale_took_no_money' };
  if (amountMinor > remaining) return { kind: 'refund_exceeds_payment', remaining };
  if (blocked?.reason === 'refund_in_progress') return { kind: 'refund_in_progress' };
  if (blocked?.reason === 'payment_settling') return { kind: 'payment_settling', retryAfter: blocked.retryAfter };
  if (action === 'none') return { kind: 'sale_not_refundable' };
  return action === 'void' && amountMinor !== remaining ? { kind: 'payment_not_settled', remaining } : undefined;
}

import type { Actor } from '@florin/shared/actor.ts';
import type { TerminalCommand } from '@florin/shared/contracts/device-v1/commands.ts';
import { type Clock, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { SaleEndings } from '../../money/payments/completion.ts';
import { isBitcoin, timestamp } from '../../money/payments/payment.ts';
import type { PaymentRow } from '../../money/payments/rows.ts';
import { paymentBySale, paymentForUpdate } from '../../money/payments/store.ts';
import type { UnknownSales } from '../../money/payments/unknown-sale.ts';
import { terminalRequestId } from '../../money/refunds/refund.ts';
import { insertWithdrawnRefund, refundByRequest } from '../../money/refunds/store.ts';
import type { TerminalCommandRow, TerminalSaleRow } from './rows.ts';
import {
  changeSale,
  insertCommand,
  machineOfTerminal,
  openSaleInvoice,
  saleForUpdate,
  withdrawCommands,
} from './store.ts';
import {
  isFinal,
  type MoneyState,
  moneyStateOfPayment,
  moneyStateOfRefund,
  type SaleState,
  storedRecordOf,
} from './terminal-sale.ts';

export type AuthorisationRefusal =
  /** Cancelled over the API, or expired. */
  | { readonly kind: 'sale_ended' }
  /** Started with another amount. */
  | { readonly kind: 'sale_differs' }
  /** Started on another terminal. */
  | { readonly kind: 'sale_of_another_terminal' }
  /** Its amount is requested in bitcoin. */
  | { readonly kind: 'bitcoin_in_progress' };

/** A sale whose authorisation a terminal is about to request. */
export type OpeningSale = Pick<PaymentRow, 'businessId' | 'terminalId' | 'saleId' | 'amountMinor' | 'currency'> & {
  readonly tipMinor?: number;
};

/**
 * The state changes of a sale, each in a transaction that holds the sale's row lock; opening its authorisation is one
 * of them. That decides every race between a cancellation, the expiry and the card: the first to lock the row wins. A
 * sale ends without its bank only while it has no payment, and an ended one is never sent to the bank. Once there is a
 * payment, the payment alone decides. Once a reader that authorises by itself may have it, only its terminal ends it.
 * While its amount is requested in bitcoin it is not sent to the bank, and once it was, no bitcoin is requested: see
 * bitcoin.ts.
 */
export type SaleTransitions = {
  /** The rule above for the bank, with the reference of a sale that software started. */
  openAuthorisation(
    tx: Transaction,
    sale: OpeningSale,
  ): Promise<Result<{ readonly reference: string | null } | undefined, AuthorisationRefusal>>;
  /** The sale, locked until the transaction ends, and the state of its payment or refund, if any. */
  lock(
    tx: Transaction,
    id: string,
  ): Promise<{ readonly sale: TerminalSaleRow; readonly money: MoneyState | undefined } | undefined>;
  /** Changes a locked sale in progress and emits the event. Returns its new state. */
  move(tx: Transaction, sale: TerminalSaleRow, change: SaleMove): Promise<TerminalSaleRow>;
  /** Ends a locked sale of which no money has moved, and removes it from the terminal. */
  endUnpaid(tx: Transaction, sale: TerminalSaleRow, state: SaleState, by?: Actor): Promise<TerminalSaleRow>;
  /** Requests the terminal, once, to end a locked sale that its reader may be charging. */
  requestEnd(
    tx: Transaction,
    sale: TerminalSaleRow,
    why: NonNullable<TerminalSaleRow['endRequested']>,
    by?: Actor,
  ): Promise<TerminalSaleRow>;
  /**
   * Neither terminal nor reader reports the outcome of a locked sale that the reader may have charged: it has to be
   * resolved manually.
   */
  recordUnknownOutcome(tx: Transaction, sale: TerminalSaleRow, change?: Partial<SaleMove>): Promise<TerminalSaleRow>;
  /**
   * Cancels a locked card sale with `unknown_outcome`: stores the reversal of its payment, so that a later approval is
   * reversed, and sends the terminal the command to end it. Otherwise the same as `follow`.
   */
  cancelUnanswered(tx: Transaction, sale: TerminalSaleRow, money: MoneyState, by: Actor): Promise<TerminalSaleRow>;
  /** Applies the state of the payment or refund. */
  follow(tx: Transaction, sale: TerminalSaleRow, money: MoneyState): Promise<TerminalSaleRow>;
  /** Sends a command to the terminal. */
  give(tx: Transaction, sale: TerminalSaleRow, command: TerminalCommand): Promise<void>;
};

export type SaleMove = SaleState &
  Partial<
    Pick<
      TerminalSaleRow,
      'dueAt' | 'reportSequence' | 'rail' | 'metadataJson' | 'atReaderAt' | 'endRequested' | 'leftTerminalAt'
    >
  > & {
    readonly by?: Actor | undefined;
    /** Whether the change is a step of its own although status and reason stay. */
    readonly isShownAtOnce?: boolean;
  };

/** How long the command to end a sale is sent to its terminal. */
const endCommandLifetimeMs = 3_600_000;

/**
 * Changes locked sales in the caller's transaction. A new status or reason increments the sale's sequence and is
 * announced; other facts wait for the next step unless `isShownAtOnce`.
 */
export function saleTransitions(options: {
  clock: Clock;
  ids: Ids;
  events: Events;
  unknownSales: Pick<UnknownSales, 'open'>;
  endings: Pick<SaleEndings, 'markForReversal'>;
  /** How long to wait for the terminal of an approved sale, or of one it was requested to end. */
  completeWithinMs: number;
}): SaleTransitions {
  const { clock, ids, events } = options;

  async function move(tx: Transaction, sale: TerminalSaleRow, change: SaleMove): Promise<TerminalSaleRow> {
    const { by, isShownAtOnce = false, ...state } = change;
    const isSame = !isShownAtOnce && sale.status === state.status && sale.statusReason === state.statusReason;
    // Responses with one sequence are equal: further facts are sent with the next step.
    const { rail, metadataJson } = isSame ? sale : { ...sale, ...state };
    const now = clock.now();
    const isNewlyApproved = !isSame && state.statusReason === 'approved';
    const isOver = isFinal(state.status);
    const changed = await tx.first(changeSale, {
      ...sale,
      ...state,
      rail,
      metadataJson,
      sequence: isSame ? sale.sequence : sale.sequence + 1,
      updatedAt: isSame ? sale.updatedAt : now,
      endedAt: isOver ? now : null,
      dueAt: isOver ? null : (state.dueAt ?? (isNewlyApproved ? now + options.completeWithinMs : sale.dueAt)),
    });
    if (!changed) throw new Error(`sale ${sale.id} has ended`);
    // A refund request that is still in transit is then refused.
    if (isOver && sale.type === 'refund')
      await tx.run(insertWithdrawnRefund, {
        businessId: sale.businessId,
        clientRequestId: terminalRequestId(await machineOf(tx, sale.terminalId), sale.id),
        at: now,
      });
    if (isSame) return changed;
    const { businessId, terminalId, id: subjectId } = changed;
    const payload = { terminalId, record: storedRecordOf(changed) };
    events.announce(tx, { type: 'terminal_sale.changed', businessId, subjectId, by, payload });
    return changed;
  }

  async function give(tx: Transaction, sale: TerminalSaleRow, command: TerminalCommand): Promise<void> {
    const { businessId, terminalId, id: saleId } = sale;
    const { commandId: id, kind } = command;
    const row: TerminalCommandRow = {
      id,
      terminalId,
      saleId,
      kind,
      bodyJson: JSON.stringify(command),
      expiresAt: Date.parse(command.expiresAt),
      createdAt: clock.now(),
      outcome: null,
    };
    await tx.run(insertCommand, row);
    const payload = { terminalId, saleId, kind };
    events.announce(tx, { type: 'terminal.command_given', businessId, subjectId: id, payload });
  }

  async function endUnpaid(tx: Transaction, sale: TerminalSaleRow, state: SaleState, by?: Actor) {
    const withdrawn = await tx.run(withdrawCommands, { saleId: sale.id });
    const ended = await move(tx, sale, { ...state, by });
    // A terminal that never accepted it has nothing to remove; if it accepts it later, it gets the command to stop.
    if (withdrawn === 0) await giveEnd(tx, ended);
    return ended;
  }

  async function giveEnd(tx: Transaction, sale: TerminalSaleRow): Promise<void> {
    const expiresAt = timestamp(clock.now() + endCommandLifetimeMs);
    await give(tx, sale, { kind: 'end_sale', commandId: ids.next(idPrefixes.command), saleId: sale.id, expiresAt });
  }

  async function requestEnd(
    tx: Transaction,
    sale: TerminalSaleRow,
    why: NonNullable<TerminalSaleRow['endRequested']>,
    by?: Actor,
  ) {
    if (sale.endRequested !== null) return sale;
    await giveEnd(tx, sale);
    return move(tx, sale, {
      status: 'PROCESSING',
      statusReason: why === 'expired' ? 'expiry_requested' : 'cancel_requested',
      endRequested: why,
      dueAt: clock.now() + options.completeWithinMs,
      by,
    });
  }

  async function follow(tx: Transaction, sale: TerminalSaleRow, money: MoneyState) {
    if (sale.endedAt !== null) return sale;
    const { status, statusReason, metadata } = money;
    // The reason of an unknown outcome stays until it is known.
    const isStillUnknown = statusReason === 'authorising' && sale.statusReason === 'unknown_outcome';
    return move(tx, sale, {
      ...(isStillUnknown ? { status: sale.status, statusReason: sale.statusReason } : { status, statusReason }),
      rail: 'card',
      metadataJson: JSON.stringify(metadata),
    });
  }

  async function cancelUnanswered(tx: Transaction, sale: TerminalSaleRow, money: MoneyState, by: Actor) {
    const { businessId } = sale;
    const payment = await tx.first(paymentForUpdate, { businessId, id: money.paymentId });
    const isUnanswered = payment?.status === 'pending' && payment.authorisedBy === 'host';
    if (sale.type !== 'sale' || sale.statusReason !== 'unknown_outcome' || !isUnanswered)
      return follow(tx, sale, money);
    const reversal = { paymentId: payment.id, reason: 'outcome_unknown', dueAt: clock.now() } as const;
    const reversed = await options.endings.markForReversal(tx, reversal, by);
    if (!reversed) return follow(tx, sale, money);
    await giveEnd(tx, sale);
    return follow(tx, sale, moneyStateOfPayment(reversed));
  }

  async function lock(tx: Transaction, id: string) {
    const sale = await tx.first(saleForUpdate, { id });
    return sale && { sale, money: await moneyStateOf(tx, sale) };
  }

  return {
    lock,
    move,
    give,
    endUnpaid,
    requestEnd,
    cancelUnanswered,
    follow,

    async recordUnknownOutcome(tx, sale, change) {
      const { businessId, terminalId, id: saleId, amountMinor, currency } = sale;
      await options.unknownSales.open(tx, { businessId, terminalId, saleId, amountMinor, currency });
      return move(tx, sale, { ...change, status: 'PROCESSING', statusReason: 'unknown_outcome' });
    },

    async openAuthorisation(tx, { businessId, terminalId, saleId, amountMinor, tipMinor = 0, currency }) {
      const sale = saleId === null ? undefined : await tx.first(saleForUpdate, { id: saleId });
      // A sale keyed in at the terminal.
      if (sale?.businessId !== businessId) return ok(undefined);
      if (terminalId === null || !(await isSaleOfMachine(tx, sale, { businessId, terminalId })))
        return err({ kind: 'sale_of_another_terminal' });
      if (sale.endedAt !== null || sale.type !== 'sale') return err({ kind: 'sale_ended' });
      if (await tx.first(openSaleInvoice, { saleId: sale.id })) return err({ kind: 'bitcoin_in_progress' });
      // Its whole amount is its software's: a tip in it would be a part of the price.
      const isSame = sale.amountMinor === amountMinor && sale.currency === currency && tipMinor === 0;
      if (!isSame) return err({ kind: 'sale_differs' });
      await move(tx, sale, { status: 'PROCESSING', statusReason: 'authorising', rail: 'card' });
      return ok({ reference: sale.reference });
    },
  };
}

/** Whether this terminal's machine has the sale, including those of its earlier enrolments. */
export async function isSaleOfMachine(
  tx: Pick<Transaction, 'first'>,
  sale: Pick<TerminalSaleRow, 'businessId' | 'terminalId'>,
  { businessId, terminalId }: Pick<TerminalSaleRow, 'businessId' | 'terminalId'>,
): Promise<boolean> {
  if (sale.businessId !== businessId) return false;
  if (sale.terminalId === terminalId) return true;
  return (await machineOf(tx, sale.terminalId)) === (await machineOf(tx, terminalId));
}

async function machineOf(tx: Pick<Transaction, 'first'>, terminalId: string): Promise<string> {
  return (await tx.first(machineOfTerminal, { terminalId }))?.machineId ?? terminalId;
}

async function moneyStateOf(tx: Transaction, sale: TerminalSaleRow): Promise<MoneyState | undefined> {
  const { id, businessId, terminalId, originalPaymentId } = sale;
  if (originalPaymentId === null) {
    const payment = await tx.first(paymentBySale, { businessId, terminalId, saleId: id });
    // A bitcoin payment decides with its invoice: see bitcoin.ts.
    return payment && !isBitcoin(payment.method) ? moneyStateOfPayment(payment) : undefined;
  }
  // Refunds are opened and withdrawn under the payment's lock.
  const original = await tx.first(paymentForUpdate, { businessId, id: originalPaymentId });
  const clientRequestId = terminalRequestId(await machineOf(tx, terminalId), id);
  const refund = original && (await tx.first(refundByRequest, { businessId, clientRequestId }));
  return refund && moneyStateOfRefund(refund, original);
}

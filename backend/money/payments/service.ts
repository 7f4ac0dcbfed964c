import type { Actor } from '@florin/shared/actor.ts';
import type { CardScheme } from '@florin/shared/card-schemes.ts';
import type { ReversalReason } from '@florin/shared/contracts/device-v1/sales.ts';
import { money } from '@florin/shared/money.ts';
import type { Clock, Ids, Log } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { type Database, KeyTaken, readingAgain, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { inTraceOf } from '../../foundation/events/begun.ts';
import type { DurableWrite } from '../../foundation/idempotency/call.ts';
import type { LeasesOn } from '../../foundation/jobs/leases.ts';
import { evidenceAcceptedAt, type PollingSettings } from '../../foundation/jobs/polling.ts';
import type {
  AuthorisationOutcome,
  CardGateway,
  EcommerceSale,
  EncryptedCard,
  Gateways,
  ThreeDSecureStep,
} from '../../gateways/gateway.ts';
import type { AuditLog } from '../../people/audit/log.ts';
import { businessById } from '../../people/businesses/store.ts';
import type { OutcomeRequest } from '../discrepancies/decision.ts';
import type { Discrepancies } from '../discrepancies/discrepancies.ts';
import { openDiscrepancies } from '../discrepancies/store.ts';
import {
  authorisations,
  type FinalOutcome,
  finalOutcomeOf,
  fitsPayment,
  type KnownBy,
  type NewPayment,
} from './authorisation.ts';
import type { CompletionSettings, SaleEndings } from './completion.ts';
import { lockedMachine } from './machine-lock.ts';
import { requiredReference, timestamp, uniqueReferenceOf } from './payment.ts';
import { type ReaderSale, type RecordSale, saleRecording } from './recorded-sale.ts';
import type { PaymentRow } from './rows.ts';
import type { NoGatewayAccount, SaleKey, SaleRefusal } from './sale.ts';
import { sendOnce } from './send-once.ts';
import type { SettlementSettings } from './settlement.ts';
import {
  earlyReversal,
  insertEarlyReversal,
  insertPayment,
  paymentById,
  paymentByRequest,
  paymentBySale,
  paymentByUniqueReference,
  paymentForUpdate,
  saleForUpdate,
  salesOfBusiness,
  setPaymentEvidenceFrom,
} from './store.ts';
import { customerStepOf, notCompleted, threeDSecureSteps } from './three-d-secure.ts';
import { type UnknownSales, unknownSales } from './unknown-sale.ts';

export type SaleRequest = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly saleId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Not stored: passed through to the gateway. */
  readonly card: EncryptedCard;
  /** What the reader reads of it; it may have been declined. */
  readonly cardScheme?: CardScheme | null;
  readonly cardLastFour?: string | null;
  readonly applicationId?: string | null;
  /** The reader asks for one, and no staff are there to take it. */
  readonly signature?: 'not_taken' | undefined;
  /** What staff noted of a sale that was keyed in. */
  readonly reference?: string | null;
  /** The part of the amount that the customer added as a tip. */
  readonly tipMinor?: number;
};

type Unsigned = Pick<SaleRequest, 'signature'>;

export type ResolutionRefusal =
  | { readonly kind: 'payment_not_found' }
  | { readonly kind: 'payment_not_pending' }
  /** The gateway may still report the outcome. */
  | { readonly kind: 'still_asking'; readonly retryAfter: string };

export type ReversalRefusal = { readonly kind: 'sale_not_found' } | { readonly kind: 'sale_completed' };

export type OnlineSale<Refusal> = {
  readonly businessId: string;
  readonly by: Actor;
  readonly open: (tx: Transaction) => Promise<Result<NewPayment, Refusal>>;
  readonly card: EcommerceSale['card'];
  /** The customer's browser, where it can be sent to their bank; without it a bank that wants that is a refusal. */
  readonly browser?: EcommerceSale['browser'];
  readonly write: DurableWrite<PaymentRow>;
};

/** Card payments: authorised once, polled while unknown, settled, voided. Specification: Payment. */
export type PaymentService = {
  /** Records a sale that the processor of the terminal's reader approved; idempotent. */
  recordSale: RecordSale;
  unknownSales: Pick<UnknownSales, 'report' | 'open' | 'end'>;
  /** Authorises a terminal's sale: the first call for a sale sends, every other one returns its payment. */
  authoriseSale(request: SaleRequest): Promise<Result<PaymentRow, SaleRefusal>>;
  /**
   * Reverses an authorisation that the reader did not complete. While the outcome is unknown the reversal stays due, and is
   * carried out as soon as an approval turns up. Idempotent.
   */
  reverseSale(sale: SaleKey, reason: ReversalReason): Promise<Result<PaymentRow, ReversalRefusal>>;
  /** The terminal showed the customer an approved sale. */
  completeSale(sale: SaleKey): Promise<PaymentRow | undefined>;
  sale(sale: SaleKey): Promise<PaymentRow | undefined>;
  /** Terminal sales of a business, newest first, below the id `before`. */
  sales(options: { businessId: string; before: string; limit: number }): Promise<PaymentRow[]>;
  /** Sends an ecommerce sale; `open` decides in the transaction that saves the attempt whether it may be. */
  authoriseOnline<Refusal>(request: OnlineSale<Refusal>): Promise<Result<PaymentRow, Refusal | NoGatewayAccount>>;
  /** Sends the browser's 3-D Secure response to the gateway from this step of their bank's check; once. */
  continueOnline(request: {
    businessId: string;
    paymentId: string;
    step: ThreeDSecureStep['step'];
    response: Readonly<Record<string, string>>;
  }): Promise<PaymentRow | undefined>;
  /** Ends a payment whose customer did not return from their bank; any other payment is unchanged. */
  abandonOnline(request: { businessId: string; paymentId: string }): Promise<PaymentRow | undefined>;
  /**
   * Ends a payment that the gateway holds for its customer's check if its reply did not contain the check's address: it
   * cannot be continued, so it takes no money. False for any other payment.
   */
  endUnknownStep(payment: PaymentRow): Promise<boolean>;
  /** Records the outcome of an authorisation from a signed callback or a lookup; false if there is no such payment. */
  recordGatewayOutcome(report: {
    uniqueReference: string;
    outcome: FinalOutcome;
    knownBy: 'lookup' | 'callback';
  }): Promise<boolean>;
  /**
   * Fails a payment that never reached the gateway. False while a discrepancy about it is open, which a person has to
   * decide.
   */
  failNotReceived(payment: PaymentRow): Promise<boolean>;
  /** A manager decides a pending payment on evidence the gateway did not give us. */
  resolve(request: OutcomeRequest<PaymentRow>): Promise<Result<PaymentRow, ResolutionRefusal>>;
  byId(businessId: string, id: string): Promise<PaymentRow | undefined>;
};

export type PaymentServiceOptions = {
  readonly database: Database;
  readonly gateways: Gateways;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly endings: SaleEndings;
  readonly discrepancies: Discrepancies;
  readonly audit: AuditLog;
  readonly completion: CompletionSettings;
  readonly log: Log;
  readonly polling: PollingSettings;
  readonly leases: LeasesOn<Pick<PaymentRow, 'id'>>;
  readonly settlement: SettlementSettings;
  /** Voids or refunds a reversed sale, where that is due now; returns the payment afterwards. */
  readonly reverse: (payment: PaymentRow) => Promise<PaymentRow>;
  /** Whether a terminal's sale may be authorised, with the reference of one that software started. */
  readonly mayAuthorise: (
    tx: Transaction,
    sale: Omit<SaleRequest, 'card'>,
  ) => Promise<
    Result<
      { readonly reference: string | null } | undefined,
      { readonly kind: 'sale_ended' | 'sale_differs' | 'sale_of_another_terminal' | 'bitcoin_in_progress' }
    >
  >;
  /** What else becomes true with a payment's approval: a payment link's balance, for one. */
  readonly onTaken: (tx: Transaction, payment: PaymentRow) => Promise<void>;
  /** A reader with its own processor took a payment; repeated reports say so again. */
  readonly onReaderSale: (tx: Transaction, sale: ReaderSale) => Promise<void>;
};

/**
 * The operations on card payments. Each authorisation is saved before it is sent, sent at most once, and polled by
 * jobs.ts while its outcome is unknown.
 */
export function paymentService(options: PaymentServiceOptions): PaymentService {
  const { database, gateways, clock, events, discrepancies, endings, audit, polling, leases, reverse, onTaken, log } =
    options;
  const attempts = authorisations(options);
  const unknown = unknownSales({ ...options, attempts });
  const steps = threeDSecureSteps(options);

  async function save(tx: Transaction, payment: PaymentRow, by: Actor, also: Unsigned = {}): Promise<void> {
    if ((await tx.run(insertPayment, payment)) === 0) throw new KeyTaken('the sale has its payment already');
    const { businessId, id, amountMinor, currency, paymentLinkId, terminalId, saleId } = payment;
    const facts = { amountMinor, currency, paymentLinkId, terminalId, saleId, ...also };
    events.announce(tx, { businessId, type: 'payment.started', paymentId: id, subjectId: id, by, payload: facts });
  }

  async function openSale(
    tx: Transaction,
    request: SaleRequest,
    gatewayAccountId: string | undefined,
  ): Promise<Result<{ payment: PaymentRow; isNew: boolean }, SaleRefusal>> {
    const { card, signature, ...sale } = request;
    const { businessId, terminalId, saleId, amountMinor, currency } = sale;
    const { machineId } = await lockedMachine(tx, terminalId);
    const known = await tx.first(paymentBySale, { businessId, terminalId, saleId });
    if (known) {
      const isSame = known.amountMinor === amountMinor && known.currency === currency;
      return isSame ? ok({ payment: known, isNew: false }) : err({ kind: 'sale_differs' });
    }
    const business = await tx.first(businessById, { id: businessId });
    if (business?.currency !== currency) return err({ kind: 'currency_differs', currency: business?.currency ?? '' });
    if (await tx.first(earlyReversal, { machineId, saleId })) return err({ kind: 'sale_reversed' });
    if (gatewayAccountId === undefined) return err({ kind: 'no_gateway_account' });
    const may = await options.mayAuthorise(tx, sale);
    if (!may.ok) return may;
    const about = { ...sale, ...may.value, entryMode: card.entryMode };
    const payment = await attempts.begin(tx, { ...about, gatewayAccountId });
    await save(tx, payment, { kind: 'terminal', terminalId }, { signature });
    return ok({ payment, isNew: true });
  }

  /** A sale that is not there cannot arrive any more before this transaction ends. */
  async function saleToReverse(tx: Transaction, key: SaleKey): Promise<PaymentRow | undefined> {
    const sale = await tx.first(saleForUpdate, key);
    if (sale) return sale;
    await lockedMachine(tx, key.terminalId);
    return tx.first(saleForUpdate, key);
  }

  async function openOnline<Refusal>(
    tx: Transaction,
    request: OnlineSale<Refusal>,
    gatewayAccountId: string | undefined,
  ): Promise<Result<{ payment: PaymentRow; isNew: boolean }, Refusal | NoGatewayAccount>> {
    const { businessId, write } = request;
    const begun = await write.begin(tx);
    const { clientRequestId } = write;
    const left =
      begun === 'resumed' && clientRequestId !== null
        ? await tx.first(paymentByRequest, { businessId, clientRequestId })
        : undefined;
    if (left) {
      // An earlier run of this call crashed: a sent request is polled, and nothing is sent again.
      await write.finish(tx, left);
      return ok({ payment: left, isNew: false });
    }
    const allowed = await request.open(tx);
    if (!allowed.ok) return allowed;
    if (gatewayAccountId === undefined) return err({ kind: 'no_gateway_account' });
    const payment = await attempts.begin(tx, { ...allowed.value, clientRequestId, gatewayAccountId });
    await save(tx, payment, request.by);
    return ok({ payment, isNew: true });
  }

  type Call = (gateway: CardGateway) => Promise<AuthorisationOutcome | ThreeDSecureStep>;
  type Alongside = (tx: Transaction, payment: PaymentRow) => Promise<void>;

  /** Sends the one request a payment ever sends, and saves its outcome. */
  async function send(payment: PaymentRow, call: Call, alongside?: Alongside): Promise<PaymentRow> {
    return leases.during(payment, payment.nextPollAt, () => sendHeld(payment, call, alongside));
  }

  async function sendHeld(payment: PaymentRow, call: Call, alongside?: Alongside): Promise<PaymentRow> {
    const gateway = await gateways.ofAccount(payment.gatewayAccountId);
    const subject = { businessId: payment.businessId, paymentId: payment.id };
    const outcome = await sendOnce(payment, () => call(gateway), { clock, log, subject });
    const final = outcome.kind === 'three_d_secure' ? outcome : finalOutcomeOf(payment, outcome);
    return database.write(async tx => {
      const saved = await record(tx, final);
      await alongside?.(tx, saved);
      return saved;
    });

    async function record(tx: Transaction, known: typeof final): Promise<PaymentRow> {
      if ('open' in known) return attempts.leaveUnknown(tx, payment, known.open);
      if (known.kind === 'three_d_secure') return steps.begin(tx, payment, known);
      return recordOutcome(tx, payment, known, 'reply');
    }
  }

  async function recordOutcome(
    tx: Transaction,
    pending: PaymentRow,
    outcome: FinalOutcome,
    knownBy: KnownBy,
    by?: Actor,
  ): Promise<PaymentRow> {
    const { payment, changed } = await attempts.recordOutcome(tx, pending, outcome, knownBy, by);
    if (changed && payment.status === 'unsettled') await onTaken(tx, payment);
    return payment;
  }

  return {
    recordSale: saleRecording({ ...options, attempts, endings, unknown }),
    unknownSales: unknown,

    async authoriseSale(request) {
      const account = await gateways.accountForNewPayments(request.businessId);
      const opened = await readingAgain(() => database.write(tx => openSale(tx, request, account)));
      if (!opened.ok) return opened;
      const { payment, isNew } = opened.value;
      if (!isNew) return ok(payment);
      const sent = await send(payment, gateway =>
        gateway.authoriseCardPresent({
          uniqueReference: uniqueReferenceOf(payment),
          amount: money(payment.amountMinor, payment.currency),
          invoiceNumber: payment.invoiceNumber,
          card: request.card,
        }),
      );
      return ok(await reverse(sent));
    },

    async reverseSale({ businessId, terminalId, saleId }, reason) {
      const ended = await database.write(async (tx): Promise<Result<PaymentRow, ReversalRefusal>> => {
        const payment = await saleToReverse(tx, { businessId, terminalId, saleId });
        if (!payment) {
          // Its authorisation may still arrive and must then find that the sale has ended.
          const { machineId } = await lockedMachine(tx, terminalId);
          await tx.run(insertEarlyReversal, { machineId, saleId, at: clock.now() });
          return err({ kind: 'sale_not_found' });
        }
        if (payment.completedAt !== null) {
          await endings.recordLateReversal(tx, payment, reason);
          return err({ kind: 'sale_completed' });
        }
        const reversal = { paymentId: payment.id, reason, dueAt: leases.fromNow() };
        const reversed = await endings.markForReversal(tx, reversal, { kind: 'terminal', terminalId });
        return ok(reversed ?? payment);
      });
      return ended.ok ? ok(await reverse(ended.value)) : ended;
    },

    async completeSale({ businessId, terminalId, saleId }) {
      return database.write(async tx => {
        const payment = await tx.first(saleForUpdate, { businessId, terminalId, saleId });
        if (!payment) return undefined;
        return (await endings.complete(tx, payment.id, { kind: 'terminal', terminalId })) ?? payment;
      });
    },

    sale: ({ businessId, terminalId, saleId }) => database.first(paymentBySale, { businessId, terminalId, saleId }),

    sales: list => database.all(salesOfBusiness, list),

    async authoriseOnline<Refusal>(request: OnlineSale<Refusal>) {
      const account = await gateways.accountForNewPayments(request.businessId);
      const opened = await database.write(tx => openOnline(tx, request, account));
      if (!opened.ok) return opened;
      const { payment, isNew } = opened.value;
      if (!isNew) return ok(payment);
      const sent = await send(
        payment,
        async gateway => {
          const outcome = await gateway.authoriseEcommerce({
            uniqueReference: uniqueReferenceOf(payment),
            amount: money(payment.amountMinor, payment.currency),
            invoiceNumber: payment.invoiceNumber,
            card: request.card,
            ...(request.browser && { browser: request.browser }),
          });
          if (outcome.kind !== 'three_d_secure' || request.browser) return outcome;
          // No customer is present to be sent to the bank: the sale stays where the gateway left it and takes no money.
          const message = 'The bank asks the cardholder to confirm this payment';
          return { kind: 'declined', code: 'three_d_secure', message };
        },
        (tx, settled) => request.write.finish(tx, settled),
      );
      return ok(sent);
    },

    async continueOnline({ businessId, paymentId, step, response }) {
      const found = await database.first(paymentById, { businessId, id: paymentId });
      const awaited = found && customerStepOf(found);
      if (!found || awaited?.step !== step) return found;
      const taken = await database.write(tx => steps.take(tx, found));
      if (!taken) return database.first(paymentById, { businessId, id: paymentId });
      const { threeDSecureReference } = awaited;
      return inTraceOf(database, { paymentId, subjectId: paymentId }, () =>
        send(taken, gateway =>
          gateway.continueThreeDSecure({
            uniqueReference: uniqueReferenceOf(taken),
            amount: money(taken.amountMinor, taken.currency),
            threeDSecureReference,
            response,
          }),
        ),
      );
    },

    abandonOnline: ({ businessId, paymentId }) =>
      database.write(async tx => {
        const payment = await tx.first(paymentForUpdate, { businessId, id: paymentId });
        const taken = payment && (await steps.take(tx, payment));
        return taken ? recordOutcome(tx, taken, notCompleted, 'reply') : payment;
      }),

    endUnknownStep: ({ businessId, id }) =>
      database.write(async tx => {
        const payment = await tx.first(paymentForUpdate, { businessId, id });
        if (payment?.status !== 'pending' || payment.customerStepKnown === 1) return false;
        await recordOutcome(tx, payment, notCompleted, 'lookup');
        return true;
      }),

    async recordGatewayOutcome({ uniqueReference, outcome, knownBy }) {
      const payment = await database.first(paymentByUniqueReference, { uniqueReference });
      if (!payment) return false;
      return inTraceOf(database, { paymentId: payment.id, subjectId: payment.id }, async () => {
        const settled = await database.write(async tx => {
          if (outcome.kind === 'approved' && outcome.amount && !fitsPayment(payment, outcome.amount)) {
            const { businessId, id: paymentId, status, amountMinor } = payment;
            const gateway = { ...outcome, knownBy };
            const found = { businessId, paymentId, recorded: { status, amountMinor }, gateway };
            await discrepancies.raise(tx, { ...found, kind: 'payment_amount_differs' });
            return payment;
          }
          return recordOutcome(tx, payment, outcome, knownBy);
        });
        // What was known already is being reversed already, where it has to be.
        if (settled.status !== payment.status) await reverse(settled);
        return true;
      });
    },

    failNotReceived: payment =>
      database.write(async tx => {
        const { id: paymentId } = payment;
        const contradictions = await tx.all(openDiscrepancies, { paymentId });
        if (contradictions.some(({ kind }) => kind === 'payment_amount_differs')) return false;
        const message = 'The bank never received this payment';
        await recordOutcome(tx, payment, { kind: 'failed', message }, 'lookup');
        return true;
      }),

    async resolve({ businessId, id: paymentId, outcome, evidence, gatewayReference, by, write }) {
      const resolved = await database.write(async (tx): Promise<Result<PaymentRow, ResolutionRefusal>> => {
        await write?.begin(tx);
        const payment = await tx.first(paymentForUpdate, { businessId, id: paymentId });
        if (!payment) return err({ kind: 'payment_not_found' });
        if (payment.status !== 'pending') return err({ kind: 'payment_not_pending' });
        const acceptedAt = evidenceAcceptedAt(payment, clock.now(), polling);
        if (acceptedAt !== undefined) {
          await tx.run(setPaymentEvidenceFrom, { id: paymentId, evidenceFrom: acceptedAt });
          return err({ kind: 'still_asking', retryAfter: timestamp(acceptedAt) });
        }
        const message = 'Decided by a manager on evidence';
        const decided: FinalOutcome =
          outcome === 'approved'
            ? { kind: 'approved', gatewayReference: requiredReference(gatewayReference), message }
            : { kind: 'failed', message };
        const settled = await unknown.decided(tx, await recordOutcome(tx, payment, decided, 'manager', by), by);
        const detail = { outcome, evidence, gatewayReference };
        const type = 'payment.resolved';
        events.announce(tx, { businessId, type, paymentId, subjectId: paymentId, by, payload: detail });
        await audit.append(tx, {
          businessId,
          kind: 'payment_resolved',
          status: outcome,
          by,
          paymentId,
          amountMinor: payment.amountMinor,
          detail,
        });
        await write?.finish(tx, settled);
        return ok(settled);
      });
      return resolved.ok ? ok(await reverse(resolved.value)) : resolved;
    },

    byId: (businessId, id) => database.first(paymentById, { businessId, id }),
  };
}

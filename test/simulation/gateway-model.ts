import type { Money } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import { type GatewayAdapter, gatewayAdapter } from '../../backend/gateways/adapter.ts';
import type { CallbackOutcome } from '../../backend/gateways/callbacks.ts';
import type {
  AuthorisationOutcome,
  CallbackReading,
  CardGateway,
  EcommerceSale,
  GatewayPaymentState,
  LookupOutcome,
  LookupRequest,
  OperationOutcome,
  ThreeDSecureStep,
  UnknownCause,
} from '../../backend/gateways/gateway.ts';
import type { SettlementStage } from './plan.ts';
import type { SeededNumbers, VirtualTime } from './seeded.ts';

/** The bank's ledger: the independent record that the auditor compares with our database. */
export type Booking = {
  readonly operation: LookupRequest['operation'];
  readonly uniqueReference: string;
  /** Of the payment it was about; of an authorisation, its own. */
  readonly paymentReference: string;
  readonly gatewayReference: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly at: Instant;
  readonly approved: boolean;
};

/** A token with this prefix requires a check by the customer's bank. */
export const challenged = 'challenge';

/** The faults of one operation on its way to the bank and back. */
export type Behaviour = {
  /** The connection is refused: the operation was certainly not sent. */
  readonly refused?: boolean;
  /**
   * Sent, but never received. With a callback about another amount, the bank posts that and has no record of it later.
   */
  readonly dropped?: boolean;
  /** How long it takes to arrive. */
  readonly arrivesAfterMs?: number;
  /** The reply is lost; the caller times out. */
  readonly replyLost?: boolean;
  /** The network delivers it a second time: the bank recognises the reference. */
  readonly duplicated?: boolean;
  readonly declined?: boolean;
  /** The adapter rejects the reply for this reason. */
  readonly garbled?: UnknownCause;
  /** The bank posts a signed callback this long after booking. */
  readonly callbackAfterMs?: number;
  /** The callback names another amount. */
  readonly callbackAmountMinor?: number;
  /** The callback is posted a second time. */
  readonly callbackTwice?: boolean;
  /** The bank executes it twice: this long after booking it posts an approval under another gateway reference. */
  readonly secondApprovalAfterMs?: number;
};

/** An operation as it is sent. */
export type Sending = {
  readonly operation: LookupRequest['operation'];
  readonly uniqueReference: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Of the payment it is about; absent for an authorisation. */
  readonly paymentReference?: string;
  readonly at: Instant;
  /** Lost on the way: the bank never receives it. */
  readonly isDropped: boolean;
};

/** Observes the messages and the bank's records. */
export type GatewayObserver = {
  sent(sending: Sending): void;
  booked(booking: Booking): void;
  /** Called when a callback is posted. */
  posted(notified: Booking): void;
  /** Called when the service has accepted or rejected a callback. */
  acknowledged(notified: Booking, outcome: 'taken' | 'rejected'): void;
  /** Called when the bank rejects an approved payment at settlement: the customer pays nothing. */
  rejected(paymentReference: string): void;
};

type Transaction = {
  readonly reference: string;
  readonly amount: Money;
  state: GatewayPaymentState;
  refundedMinor: number;
};

export type GatewayModel = CardGateway & {
  /** How many operations (not lookups) arrived for a reference. */
  sendsOf(uniqueReference: string): number;
  readonly sends: ReadonlyMap<string, number>;
  readonly bookings: readonly Booking[];
  /** Every approved refund, void and credit of a payment, in money. */
  returnedMinor(gatewayReference: string): number;
  /** Runs the bank's settlement for one payment or all, up to `stage`; all stages by default. */
  settle(gatewayReference?: string, stage?: SettlementStage): void;
  /** Settles everything that was handed to the bank. */
  finishSettling(): void;
  setState(gatewayReference: string, state: GatewayPaymentState): void;
  /** The behaviour of the next operation; after it, behaviours are drawn again. */
  next(behaviour: Behaviour): void;
  /** Draws the behaviour of operations for which none was planned. */
  faults: (isBegun?: boolean) => Behaviour;
  /** While true, lookups are not answered. */
  silent: boolean;
  /** A callback about this booking as the bank would post it. */
  callbackOf(booking: Booking): string;
};

const settlementStages: Record<SettlementStage, { from: readonly GatewayPaymentState[]; to: GatewayPaymentState }> = {
  tender: { from: ['unsettled'], to: 'settling' },
  complete: { from: ['unsettled', 'settling'], to: 'settled' },
  reject: { from: ['settling'], to: 'rejected' },
};

/** How long the adapter waits for an answer. */
const timeoutMs = 30_000;
const usualMs = 40;
/** Retries the callback of a second approval until it is answered. */
const repostMs = 20_000;
const maxPosts = 8;
/** Stands for the gateway's signature. */
const seal = 'genuine';

/**
 * A card gateway behind the product's port, with a network in front that loses, delays and repeats. It does not cap
 * refunds, so that a missing cap in the product shows.
 */
export function gatewayModel(options: {
  time: VirtualTime;
  numbers: SeededNumbers;
  /** Draws the behaviour of an operation; no faults by default. */
  behaviours?: (isBegun?: boolean) => Behaviour;
  /** Whether the next lookup is answered; true by default. */
  answers?: () => boolean;
  observer?: GatewayObserver | undefined;
  /** Posts a callback to the service and returns its answer; undefined when no process answered. */
  onCallback: (rawBody: string) => Promise<CallbackOutcome | undefined>;
  /** Called when an operation leaves for the bank. */
  onSend: (uniqueReference: string) => void;
}): GatewayModel {
  const { time, numbers, onCallback, observer } = options;
  const transactions = new Map<string, Transaction>();
  const booked = new Map<string, Booking>();
  const bookings: Booking[] = [];
  const sends = new Map<string, number>();
  const planned: Behaviour[] = [];
  let references = 0;

  type Operation = {
    readonly operation: LookupRequest['operation'];
    readonly uniqueReference: string;
    readonly amount: Money;
    readonly paymentReference?: string;
  };

  const isSilent = () => model.silent || options.answers?.() === false;

  function callbackOf(booking: Booking): string {
    return JSON.stringify({ ...booking, seal });
  }

  function nextReference(): string {
    references += 1;
    return `xref${references.toString(36).padStart(8, '0')}`;
  }

  /** The bank's decision, made once per reference. */
  function bookOperation(operation: Operation, behaviour: Behaviour): Booking {
    const known = booked.get(operation.uniqueReference);
    if (known) return known;
    const gatewayReference = nextReference();
    const paymentReference = operation.paymentReference ?? gatewayReference;
    const approved = !behaviour.declined && allows(operation);
    const booking: Booking = {
      operation: operation.operation,
      uniqueReference: operation.uniqueReference,
      paymentReference,
      gatewayReference,
      ...operation.amount,
      at: time.now(),
      approved,
    };
    booked.set(operation.uniqueReference, booking);
    bookings.push(booking);
    if (approved) carryOut(operation, booking);
    observer?.booked(booking);
    post(booking, behaviour);
    if (approved && behaviour.secondApprovalAfterMs !== undefined)
      carryOutAgain(operation, booking, behaviour.secondApprovalAfterMs);
    return booking;
  }

  function post(booking: Booking, { callbackAfterMs, callbackAmountMinor, callbackTwice }: Behaviour): void {
    if (callbackAfterMs === undefined) return;
    const notified = { ...booking, amountMinor: callbackAmountMinor ?? booking.amountMinor };
    observer?.posted(notified);
    time.after(callbackAfterMs, () => void deliver(notified));
    if (callbackTwice) time.after(callbackAfterMs + numbers.between(1, 5_000), () => void deliver(notified));
  }

  /** Posts a callback, with retries where it must be delivered. */
  async function deliver(notified: Booking, times = 1): Promise<void> {
    const outcome = await onCallback(callbackOf(notified));
    if (outcome === 'taken' || outcome === 'rejected') observer?.acknowledged(notified, outcome);
    else if (times > 1) time.after(repostMs, () => void deliver(notified, times - 1));
  }

  function carryOutAgain(operation: Operation, booking: Booking, afterMs: number): void {
    const gatewayReference = nextReference();
    const paymentReference = operation.operation === 'authorise' ? gatewayReference : booking.paymentReference;
    const second = { ...booking, gatewayReference, paymentReference };
    if (operation.operation === 'authorise') carryOut(operation, second);
    observer?.posted(second);
    time.after(afterMs, () => void deliver(second, maxPosts));
  }

  /** The bank's answer about an operation that it has no record of. */
  function neverBooked({ operation, uniqueReference, amount, paymentReference }: Operation): Booking {
    const gatewayReference = nextReference();
    const notified = { operation, uniqueReference, gatewayReference, ...amount, at: time.now(), approved: true };
    return { ...notified, paymentReference: paymentReference ?? gatewayReference };
  }

  function allows(operation: Operation): boolean {
    if (operation.operation === 'authorise') return true;
    const transaction = transactions.get(operation.paymentReference ?? '');
    if (!transaction) return false;
    if (operation.operation === 'cancel') return transaction.state === 'unsettled';
    if (operation.operation === 'refundSale') return transaction.state === 'settled';
    return true;
  }

  function carryOut(operation: Operation, booking: Booking): void {
    if (operation.operation === 'authorise') {
      transactions.set(booking.gatewayReference, {
        reference: booking.gatewayReference,
        amount: operation.amount,
        state: 'unsettled',
        refundedMinor: 0,
      });
      return;
    }
    const transaction = transactions.get(booking.paymentReference);
    if (!transaction) return;
    if (operation.operation === 'cancel') transaction.state = 'cancelled';
    else transaction.refundedMinor += operation.amount.amountMinor;
  }

  const later = <Value>(delayMs: number, value: () => Value): Promise<Value> =>
    new Promise(resolve => time.after(delayMs, () => resolve(value())));

  async function carry(operation: Operation): Promise<Booking | { refused: true } | { lost: UnknownCause }> {
    const behaviour = planned.shift() ?? model.faults();
    if (behaviour.refused) return later(1, () => ({ refused: true as const }));
    options.onSend(operation.uniqueReference);
    sends.set(operation.uniqueReference, (sends.get(operation.uniqueReference) ?? 0) + 1);
    const { amount, ...rest } = operation;
    observer?.sent({ ...rest, ...amount, at: time.now(), isDropped: behaviour.dropped === true });
    const arrivesAfterMs = behaviour.arrivesAfterMs ?? numbers.between(1, usualMs);
    if (behaviour.dropped) {
      if (behaviour.callbackAmountMinor !== undefined) post(neverBooked(operation), behaviour);
      return later(timeoutMs, () => ({ lost: 'timeout' as const }));
    }
    const arrived = later(arrivesAfterMs, () => bookOperation(operation, behaviour));
    if (behaviour.duplicated)
      time.after(arrivesAfterMs + numbers.between(1, 1_000), () => bookOperation(operation, behaviour));
    const answered = behaviour.replyLost
      ? later(timeoutMs, () => ({ lost: 'timeout' as const }))
      : arrived.then(booking => later(numbers.between(1, usualMs), () => booking));
    const timedOut = later(timeoutMs, () => ({ lost: 'timeout' as const }));
    const outcome = await Promise.race([answered, timedOut]);
    return behaviour.garbled && !('lost' in outcome) ? { lost: behaviour.garbled } : outcome;
  }

  async function operate(operation: Operation): Promise<OperationOutcome> {
    const outcome = await carry(operation);
    if ('refused' in outcome) return { kind: 'notSent', cause: 'connection_refused' };
    if ('lost' in outcome) return { kind: 'unknown', cause: outcome.lost };
    return replyOf(outcome);
  }

  async function authorise(operation: Operation): Promise<AuthorisationOutcome> {
    const outcome = await operate(operation);
    return outcome.kind === 'approved'
      ? {
          ...outcome,
          authorisationCode: '123456',
          amount: operation.amount,
          card: { scheme: 'Visa', lastFour: '0821' },
        }
      : outcome;
  }

  /** No money moves before the customer's browser has been at the bank and its result was submitted. */
  async function beginCheck(uniqueReference: string): Promise<AuthorisationOutcome | ThreeDSecureStep> {
    const behaviour = model.faults(true);
    if (behaviour.refused) return later(1, () => ({ kind: 'notSent', cause: 'connection_refused' }));
    const isLost = behaviour.dropped === true || behaviour.replyLost === true;
    const takesMs = isLost ? timeoutMs : numbers.between(1, usualMs);
    const threeDSecureReference = `check-${uniqueReference}`;
    return later(takesMs, () =>
      isLost
        ? { kind: 'unknown', cause: 'timeout' }
        : {
            kind: 'three_d_secure',
            threeDSecureReference,
            url: 'https://bank.example/',
            fields: {},
            step: 'challenge',
          },
    );
  }

  function replyOf(booking: Booking) {
    return booking.approved
      ? { kind: 'approved' as const, gatewayReference: booking.gatewayReference, message: 'AUTHCODE:123456' }
      : { kind: 'declined' as const, code: '5', message: 'CARD DECLINED', gatewayReference: booking.gatewayReference };
  }

  async function lookup(request: LookupRequest): Promise<LookupOutcome> {
    await later(numbers.between(1, usualMs), () => undefined);
    if (isSilent()) return { kind: 'unanswered', cause: 'no reply' };
    const booking = booked.get(request.uniqueReference);
    if (!booking) return { kind: 'notFound' };
    const answer = replyOf(booking);
    return answer.kind === 'approved' && booking.operation === 'authorise'
      ? { ...answer, authorisationCode: '123456', card: { scheme: 'Visa', lastFour: '0821' } }
      : answer;
  }

  const model: GatewayModel = {
    name: 'model',
    capabilities: {
      cardPresent: true,
      ecommerce: true,
      threeDSecure: false,
      lookupByUniqueReference: true,
      callbacks: true,
    },
    silent: false,
    faults: options.behaviours ?? (() => ({})),
    bookings,
    sends,
    authoriseCardPresent: ({ uniqueReference, amount }) =>
      authorise({ operation: 'authorise', uniqueReference, amount }),
    cardFields: { url: 'https://gateway.example/fields', wallets: [] },
    authoriseEcommerce({ uniqueReference, amount, card }: EcommerceSale) {
      const isChallenged = 'paymentToken' in card && card.paymentToken.startsWith(challenged);
      return isChallenged
        ? beginCheck(uniqueReference)
        : authorise({ operation: 'authorise', uniqueReference, amount });
    },
    async continueThreeDSecure({ uniqueReference, amount, response }) {
      if (response.confirmed === 'yes') return authorise({ operation: 'authorise', uniqueReference, amount });
      await later(numbers.between(1, usualMs), () => undefined);
      return { kind: 'declined', code: '65803', message: 'The customer said no', threeDSecure: 'declined' };
    },
    cancel: ({ uniqueReference, gatewayReference, amount }) =>
      operate({ operation: 'cancel', uniqueReference, amount, paymentReference: gatewayReference }),
    refundSale: ({ uniqueReference, gatewayReference, amount }) =>
      operate({ operation: 'refundSale', uniqueReference, amount, paymentReference: gatewayReference }),
    refund: ({ uniqueReference, gatewayReference, amount }) =>
      operate({ operation: 'refund', uniqueReference, amount, paymentReference: gatewayReference }),
    lookup,
    async paymentState({ gatewayReference }) {
      await later(numbers.between(1, usualMs), () => undefined);
      if (isSilent()) return { kind: 'unanswered', cause: 'no reply' };
      const transaction = transactions.get(gatewayReference);
      if (!transaction) return { kind: 'notFound' };
      const { state, amount, refundedMinor } = transaction;
      return { kind: 'found', state, receivedMinor: amount.amountMinor, refundedMinor };
    },
    callbackOf,
    async readCallback({ rawBody }, find): Promise<CallbackReading> {
      const { seal: genuine, ...booking } = JSON.parse(rawBody) as Booking & { seal: string };
      const { uniqueReference, amountMinor, currency, operation, paymentReference, gatewayReference, approved } =
        booking;
      const claimed = { uniqueReference, amountMinor, gatewayReference, approved };
      if (genuine !== seal) return { kind: 'rejected', reason: 'bad_signature', claimed };
      const sent = await find(uniqueReference);
      if (!sent) return { kind: 'not_ours' };
      if (sent.operation !== operation) return { kind: 'rejected', reason: 'operation_differs', claimed };
      const aboutOther = operation !== 'authorise' && sent.gatewayReference !== paymentReference;
      if (aboutOther) return { kind: 'rejected', reason: 'gateway_reference_differs', claimed };
      if (sent.amount.currency !== currency) return { kind: 'rejected', reason: 'currency_differs', claimed };
      if (sent.amount.amountMinor !== amountMinor) return { kind: 'rejected', reason: 'amount_differs', claimed };
      const outcome = replyOf(booking);
      const details = operation === 'authorise' ? { authorisationCode: '123456' } : {};
      return { kind: 'outcome', uniqueReference, outcome: { ...outcome, ...details } };
    },
    testConnection: async () => [
      isSilent() ? { name: 'payments', ok: false, cause: 'no reply' } : { name: 'payments', ok: true },
    ],
    sendsOf: uniqueReference => sends.get(uniqueReference) ?? 0,
    returnedMinor: gatewayReference =>
      bookings
        .filter(({ operation, approved }) => approved && operation !== 'authorise')
        .filter(({ paymentReference }) => paymentReference === gatewayReference)
        .reduce((total, { amountMinor }) => total + amountMinor, 0),
    settle(gatewayReference, stage = 'complete') {
      const { from, to } = settlementStages[stage];
      for (const transaction of transactions.values()) {
        const chosen = gatewayReference === undefined || transaction.reference === gatewayReference;
        if (!chosen || !from.includes(transaction.state)) continue;
        transaction.state = to;
        if (to === 'rejected') observer?.rejected(transaction.reference);
      }
    },
    finishSettling() {
      for (const transaction of transactions.values())
        if (transaction.state === 'settling') transaction.state = 'settled';
    },
    setState(gatewayReference, state) {
      const transaction = transactions.get(gatewayReference);
      if (transaction) transaction.state = state;
    },
    next: behaviour => void planned.push(behaviour),
  };
  return model;
}

/** The model as an adapter in the registry. */
export function modelAdapter(gateway: CardGateway): GatewayAdapter {
  const noSettings = z.strictObject({});
  return gatewayAdapter({
    name: 'model',
    examples: { config: {}, secrets: {} },
    config: noSettings,
    secrets: noSettings,
    open: () => gateway,
  });
}

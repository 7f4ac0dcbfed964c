import type { BitcoinSale } from '@florin/shared/contracts/device-v1/bitcoin.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { assign, setup } from 'xstate';
import type { Stored } from '../flows/durable.ts';

export type BitcoinOutcome = {
  readonly kind: 'approved' | 'cancelled' | 'timed_out' | 'failed';
  readonly why:
    | 'bitcoin_paid'
    | 'bitcoin_expired'
    | 'bitcoin_underpaid'
    /** Cancelled on this terminal. */
    | 'bitcoin_cancelled'
    /** Ended at the service, by another client. */
    | 'bitcoin_withdrawn'
    /** The service refused to create the invoice. */
    | 'bitcoin_refused';
};

/** Why the customer cannot pay yet. */
export type BitcoinProblem = 'node_unreachable' | 'rate_unavailable' | 'not_reached';

/** The persisted state of a sale in bitcoin. */
export type BitcoinContext = {
  readonly saleId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** What staff noted of a sale that they keyed in. */
  readonly reference?: string | undefined;
  readonly startedAt: Instant;
  /** True if software started the sale: it then keeps its id when the customer pays by card instead. */
  readonly isRequested: boolean;
  readonly mayUseCard: boolean;
  readonly sale: BitcoinSale | null;
  readonly problem: BitcoinProblem | null;
  /** The service's message if it refused. */
  readonly refusal: string | null;
  /** What was requested and could not be done, because something was already paid or the node does not respond. */
  readonly notWithdrawn: 'paid' | 'node_unreachable' | null;
  readonly outcome: BitcoinOutcome | null;
};

export type BitcoinEvent =
  | { readonly type: 'BEGIN' }
  | { readonly type: 'RESTARTED' }
  /** States without a final outcome. */
  | { readonly type: 'CHANGED'; readonly sale: BitcoinSale }
  | { readonly type: 'ENDED'; readonly sale: BitcoinSale; readonly outcome: BitcoinOutcome }
  /** States in which the payment is no longer awaited. */
  | { readonly type: 'WITHDRAWN' }
  | { readonly type: 'PROBLEM'; readonly problem: BitcoinProblem }
  | { readonly type: 'REFUSED'; readonly message: string }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'USE_CARD' }
  | { readonly type: 'NOT_WITHDRAWN'; readonly why: 'paid' | 'node_unreachable' };

export type BitcoinEffect = 'ask' | 'follow' | 'withdraw';

/** The initial state of a sale in bitcoin; the caller stores it before it opens the flow. */
export function newBitcoinSale(
  given: Pick<
    BitcoinContext,
    'saleId' | 'amountMinor' | 'currency' | 'reference' | 'startedAt' | 'isRequested' | 'mayUseCard'
  >,
): Stored<BitcoinContext> {
  return {
    value: 'starting',
    context: { ...given, sale: null, problem: null, refusal: null, notWithdrawn: null, outcome: null },
  };
}

/** Validates a stored context. */
export const bitcoinContextKeys = Object.keys(
  newBitcoinSale({ saleId: '', amountMinor: 0, currency: '', startedAt: 0, isRequested: false, mayUseCard: false })
    .context,
);

/** The final outcome, if there is one; `withdrawn` means that another client withdrew the sale. */
export function endOf({ state }: BitcoinSale): BitcoinOutcome | 'withdrawn' | null {
  switch (state) {
    case 'waiting':
    case 'seen':
    case 'checking':
      return null;
    case 'paid':
      return { kind: 'approved', why: 'bitcoin_paid' };
    case 'underpaid':
      return { kind: 'failed', why: 'bitcoin_underpaid' };
    case 'expired':
      return { kind: 'timed_out', why: 'bitcoin_expired' };
    case 'withdrawn':
      return 'withdrawn';
  }
}

const withdrawn: BitcoinOutcome = { kind: 'cancelled', why: 'bitcoin_withdrawn' };
const cancelled: BitcoinOutcome = { kind: 'cancelled', why: 'bitcoin_cancelled' };

/**
 * A sale that is paid in bitcoin. The service creates the invoice and alone knows what was paid; this machine follows
 * it. A state is stored before its effect starts and every request is idempotent, so a restart continues from the
 * stored state.
 */
export const bitcoinMachine = setup({
  types: { context: {} as BitcoinContext, events: {} as BitcoinEvent },
  actions: { effect: (_context, _params: { name: BitcoinEffect }) => {} },
}).createMachine({
  context: () => {
    throw new Error('a sale in bitcoin begins from newBitcoinSale()');
  },
  initial: 'starting',
  on: {
    ENDED: {
      target: '.done',
      actions: assign(({ event }) => ({ sale: event.sale, problem: null, outcome: event.outcome })),
    },
  },
  states: {
    starting: { on: { BEGIN: 'requesting', RESTARTED: 'requesting' } },
    requesting: {
      entry: { type: 'effect', params: { name: 'ask' } },
      on: {
        CHANGED: { target: 'showing', actions: assign(({ event }) => ({ sale: event.sale, problem: null })) },
        WITHDRAWN: { target: 'done', actions: assign({ outcome: withdrawn }) },
        PROBLEM: { actions: assign(({ event }) => ({ problem: event.problem })) },
        REFUSED: {
          target: 'done',
          actions: assign(({ event }) => ({
            refusal: event.message,
            outcome: { kind: 'failed', why: 'bitcoin_refused' } as const,
          })),
        },
        CANCEL: 'cancelling',
        USE_CARD: { guard: ({ context }) => context.mayUseCard, target: 'leavingForCard' },
        RESTARTED: { target: 'requesting', reenter: true },
      },
    },
    showing: {
      entry: { type: 'effect', params: { name: 'follow' } },
      on: {
        CHANGED: { actions: assign(({ event }) => ({ sale: event.sale })) },
        WITHDRAWN: { target: 'done', actions: assign({ outcome: withdrawn }) },
        CANCEL: 'cancelling',
        USE_CARD: { guard: ({ context }) => context.mayUseCard, target: 'leavingForCard' },
        RESTARTED: { target: 'showing', reenter: true },
      },
    },
    cancelling: {
      entry: { type: 'effect', params: { name: 'withdraw' } },
      on: {
        WITHDRAWN: { target: 'done', actions: assign({ outcome: cancelled }) },
        NOT_WITHDRAWN: { target: 'showing', actions: assign(({ event }) => ({ notWithdrawn: event.why })) },
        RESTARTED: { target: 'cancelling', reenter: true },
      },
    },
    leavingForCard: {
      entry: { type: 'effect', params: { name: 'withdraw' } },
      on: {
        WITHDRAWN: 'toCard',
        NOT_WITHDRAWN: { target: 'showing', actions: assign(({ event }) => ({ notWithdrawn: event.why })) },
        RESTARTED: { target: 'leavingForCard', reenter: true },
      },
    },
    /** The customer pays by card instead. */
    toCard: {},
    done: { on: { ENDED: {} } },
  },
});

import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { assign, setup } from 'xstate';
import type { ReaderOutcome } from '../../readers/reader.ts';
import type { Stored } from '../flows/durable.ts';
import type { SaleReport } from '../store/store.ts';
import {
  type BankState,
  bankStateOf,
  bankStateOfReader,
  decisionOf,
  type ReaderState,
  type SaleDecision,
} from './decision.ts';
import type { ReversalProgress } from './reversal.ts';

export type SaleOutcome = {
  readonly kind: 'approved' | 'declined' | 'cancelled' | 'timed_out' | 'failed';
  readonly why:
    | 'reader_confirmed'
    | 'reader_gone'
    | 'bank_declined'
    | 'bank_failed'
    | 'card_refused'
    | 'customer'
    | 'staff'
    | 'no_card'
    | 'reader_not_found'
    | 'reader_not_available'
    | 'service_not_reached'
    | 'service_refused'
    | 'interrupted'
    /** Reversed or voided at the service; the record says what became of the money. */
    | 'voided'
    | 'disagree'
    /** A reader that authorises by itself lost its memory: nobody here can know. */
    | 'reader_forgot';
};

/** Everything a sale must still know after the power was lost. Nothing of the card beyond what may be printed. */
export type SaleContext = {
  readonly saleId: string;
  /** The reader's name for it. Stored before it is sent to the reader. */
  readonly transactionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly startedAt: Instant;
  /** Software asked for it: the service has a record of it that ends by this terminal's word. */
  readonly isRequested: boolean;
  /** Of the reader that was given the transaction: one that restarted since has forgotten more than it says. */
  readonly readerBootId: string | null;
  /** Whether the reader was ever given it. */
  readonly wasGivenToReader: boolean;
  /** Who asks the bank: this terminal by the service, or the reader by itself. */
  readonly authorisation: 'host' | 'reader';
  readonly bank: BankState;
  readonly reader: ReaderState;
  /** Who ended it at the reader, or the reader's own reason. */
  readonly readerDetail: string | null;
  /** The service's words, when it refused the request. */
  readonly refusal: string | null;
  readonly card: { readonly scheme: string; readonly lastFour: string; readonly entryMode: string } | null;
  readonly record: SaleRecord | null;
  readonly authorisationCode: string | null;
  /** By which a reader that asks its own processor knows the sale there. */
  readonly processorReference: string | null;
  readonly cancelRequested: boolean;
  readonly checkingBecause: 'restart' | 'reader_lost' | 'service_silent' | null;
  /** Whether this terminal reverses the sale; what became of it is in the service's record. */
  readonly reversal: 'none' | 'requested' | 'refused';
  readonly outcome: SaleOutcome | null;
};

export type SaleEvent =
  | { readonly type: 'BEGIN' }
  | {
      readonly type: 'READER_READY';
      readonly bootId: string | null;
      readonly authorisation: SaleContext['authorisation'];
    }
  | { readonly type: 'READER_NOT_FOUND' }
  /** What the service says to a reader that authorises by itself. */
  | { readonly type: 'MAY_START' }
  | { readonly type: 'MAY_NOT_START' }
  | { readonly type: 'NOT_ALLOWED_YET' }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'CARD_READ'; readonly card: { scheme: string; lastFour: string; entryMode: string } }
  | { readonly type: 'BANK_ANSWERED'; readonly record: SaleRecord }
  | { readonly type: 'BANK_NOT_REACHED' }
  | { readonly type: 'BANK_REFUSED'; readonly message: string }
  | { readonly type: 'BANK_SILENT' }
  | { readonly type: 'READER_ENDED'; readonly outcome: ReaderOutcome }
  | { readonly type: 'READER_SILENT' }
  | {
      readonly type: 'FOUND';
      readonly bank: BankState | null;
      readonly record: SaleRecord | null;
      readonly reader: ReaderState | null;
      readonly readerDetail: string | null;
      readonly authorisationCode: string | null;
      readonly processorReference: string | null;
      readonly card: SaleContext['card'];
    }
  | { readonly type: 'REVERSED'; readonly record: SaleRecord }
  | { readonly type: 'REVERSAL_WAITS' }
  | { readonly type: 'REVERSAL_REFUSED' }
  | { readonly type: 'RECORD_CHANGED'; readonly record: SaleRecord }
  | { readonly type: 'RESTARTED' };

export type SaleEffect =
  | 'releaseReader'
  | 'awaitReader'
  | 'announceReader'
  | 'startReader'
  | 'cancelReader'
  | 'askBank'
  | 'answerReader'
  | 'check'
  | 'reverse'
  | 'followReversal';

export function newSale(options: {
  saleId: string;
  transactionId: string;
  amountMinor: number;
  currency: string;
  startedAt: Instant;
  isRequested?: boolean;
}): Stored<SaleContext> {
  return {
    value: 'starting',
    context: {
      isRequested: false,
      ...options,
      readerBootId: null,
      wasGivenToReader: false,
      authorisation: 'host',
      bank: 'not_asked',
      reader: 'not_reported',
      readerDetail: null,
      refusal: null,
      card: null,
      record: null,
      authorisationCode: null,
      processorReference: null,
      cancelRequested: false,
      checkingBecause: null,
      reversal: 'none',
      outcome: null,
    },
  };
}

/** What a stored sale must hold. */
export const saleContextKeys = Object.keys(
  newSale({ saleId: '', transactionId: '', amountMinor: 0, currency: '', startedAt: 0 }).context,
);

/** How far the reversal of a sale has come; null where there is nothing to reverse. */
export function reversalProgress({ reversal, record }: SaleContext): ReversalProgress | null {
  if (reversal === 'refused') return 'refused';
  return record?.reversal?.status ?? (reversal === 'requested' ? 'not_acknowledged' : null);
}

type ReaderFacts = Pick<SaleContext, 'reader' | 'readerDetail' | 'authorisationCode' | 'processorReference'>;

/** A reader's outcome as its word, with what is worth keeping of it. */
export function readerFactsOf(outcome: ReaderOutcome): ReaderFacts {
  const word = { readerDetail: null, authorisationCode: null, processorReference: null };
  switch (outcome.kind) {
    case 'approved': {
      const { authorisationCode, processorReference = null } = outcome;
      return { ...word, reader: 'approved', authorisationCode, processorReference };
    }
    case 'declined':
      return { ...word, reader: 'refused', readerDetail: outcome.by };
    case 'cancelled':
      return { ...word, reader: 'cancelled', readerDetail: outcome.by };
    case 'timed_out':
      return { ...word, reader: 'timed_out' };
    case 'not_available':
      return { ...word, reader: 'not_available', readerDetail: outcome.reason };
    case 'unknown':
      return { ...word, reader: 'lost' };
  }
}

/** What may be kept of the card of an approval. */
export function cardOfOutcome(outcome: ReaderOutcome): SaleContext['card'] {
  if (outcome.kind !== 'approved') return null;
  const { scheme, lastFour, entryMode } = outcome.card;
  return { scheme, lastFour, entryMode };
}

/** What the service is to record of a sale that the reader had its own processor approve. */
function recordReport(context: SaleContext): SaleReport {
  const { saleId, amountMinor, currency, startedAt, processorReference, authorisationCode, card } = context;
  const record = {
    amountInCents: amountMinor,
    currency,
    takenAt: new Date(startedAt).toISOString(),
    processorReference: processorReference ?? saleId,
    authorisationCode: authorisationCode ?? '',
    card,
  };
  return { saleId, kind: 'record', reason: null, until: null, recordJson: JSON.stringify(record) };
}

/** With a reader that asks the bank by itself, its outcome is the bank's word too. */
function endedBy(context: SaleContext, outcome: ReaderOutcome): Partial<SaleContext> {
  if (context.authorisation === 'host') return readerFactsOf(outcome);
  return { ...readerFactsOf(outcome), bank: bankStateOfReader(outcome), card: cardOfOutcome(outcome) };
}

/** While a reader that asks the bank by itself cannot be seen, it may be asking. */
function bankOutOfSight({ authorisation, bank }: SaleContext): BankState {
  return authorisation === 'reader' ? 'unknown' : bank;
}

/** Once a card was read, only a word on the transaction itself counts. */
function readerFactsAfterReading(outcome: ReaderOutcome): ReaderFacts {
  return readerFactsOf(outcome.kind === 'not_available' ? { kind: 'unknown' } : outcome);
}

/** Why a sale ended, in one closed word; words.ts says it to the cashier. */
function outcomeOf(decision: SaleDecision, context: SaleContext): SaleOutcome {
  if (decision === 'approved') {
    return { kind: 'approved', why: context.reader === 'approved' ? 'reader_confirmed' : 'reader_gone' };
  }
  if (decision === 'declined') {
    return context.bank === 'failed'
      ? { kind: 'failed', why: 'bank_failed' }
      : { kind: 'declined', why: 'bank_declined' };
  }
  if (decision === 'voided') {
    const isPart = context.record?.reversal?.reason === 'partial_approval';
    return { kind: isPart ? 'declined' : 'failed', why: 'voided' };
  }
  if (decision === 'disagree') return { kind: 'failed', why: 'disagree' };
  return endedByReader(context);
}

function endedByReader(context: SaleContext): SaleOutcome {
  // Why the bank was not asked explains more than how the reader then ended the dialogue.
  if (context.bank === 'refused') return { kind: 'failed', why: 'service_refused' };
  if (context.bank === 'not_asked' && context.card) return { kind: 'failed', why: 'service_not_reached' };
  // Stopped by this program or for want of an answer: not by the staff, and not by the card.
  const wasCut = context.readerDetail === (context.reader === 'cancelled' ? 'staff' : 'reader');
  if (wasCut && !context.cancelRequested) return { kind: 'failed', why: 'interrupted' };
  switch (context.reader) {
    case 'cancelled':
      return { kind: 'cancelled', why: context.readerDetail === 'staff' ? 'staff' : 'customer' };
    case 'timed_out':
      return { kind: 'timed_out', why: 'no_card' };
    case 'refused':
      return { kind: 'declined', why: 'card_refused' };
    case 'not_available':
      return { kind: 'failed', why: 'reader_not_available' };
    case 'not_reported':
    case 'active':
    case 'lost':
    case 'gone':
    case 'forgotten':
    case 'reversed':
    case 'approved':
      return context.cancelRequested ? { kind: 'cancelled', why: 'staff' } : { kind: 'failed', why: 'interrupted' };
  }
}

const reverseReason = (context: SaleContext) =>
  context.reader === 'refused' ? ('card_refused' as const) : ('customer_cancelled' as const);

/** How long a request that got lost on the way is watched for, should it arrive after all. */
const watchMs = 10 * 60_000;

const readerOf = ({ event }: { event: Extract<SaleEvent, { type: 'READER_READY' }> }) => ({
  readerBootId: event.bootId,
  authorisation: event.authorisation,
});
const is =
  (decision: SaleDecision) =>
  ({ context }: { context: SaleContext }) =>
    decisionOf(context.bank, context.reader) === decision;
const conclude = assign<SaleContext, SaleEvent, undefined, SaleEvent, never>(({ context }) => ({
  outcome: outcomeOf(decisionOf(context.bank, context.reader), context),
}));

/**
 * One card sale. A state is stored before its effect starts; after a restart every unfinished state goes to `checking`,
 * which asks the service and the reader and never starts anything anew.
 */
export const saleMachine = setup({
  types: { context: {} as SaleContext, events: {} as SaleEvent },
  actions: {
    effect: (_context, _params: { name: SaleEffect }) => {},
    report: (_context, _params: { report: SaleReport }) => {},
  },
}).createMachine({
  context: () => {
    throw new Error('a sale begins from newSale()');
  },
  initial: 'starting',
  states: {
    starting: {
      on: {
        BEGIN: 'waitingForReader',
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    waitingForReader: {
      entry: { type: 'effect', params: { name: 'awaitReader' } },
      on: {
        READER_READY: [
          {
            guard: ({ context, event }) => context.isRequested && event.authorisation === 'reader',
            target: 'announcing',
            actions: assign(readerOf),
          },
          { target: 'takingCard', actions: [assign(readerOf), assign({ wasGivenToReader: true })] },
        ],
        READER_NOT_FOUND: {
          target: 'done',
          actions: assign({ outcome: { kind: 'failed', why: 'reader_not_found' } as SaleOutcome }),
        },
        CANCEL: { target: 'done', actions: assign({ outcome: { kind: 'cancelled', why: 'staff' } as SaleOutcome }) },
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    /** A reader that charges without asking the service is not started before the service knows of it. */
    announcing: {
      entry: { type: 'effect', params: { name: 'announceReader' } },
      on: {
        MAY_START: { target: 'takingCard', actions: assign({ wasGivenToReader: true }) },
        MAY_NOT_START: {
          target: 'done',
          actions: assign({ outcome: { kind: 'cancelled', why: 'staff' } as SaleOutcome }),
        },
        NOT_ALLOWED_YET: {
          target: 'done',
          actions: assign({ outcome: { kind: 'failed', why: 'service_not_reached' } as SaleOutcome }),
        },
        CANCEL: { target: 'done', actions: assign({ outcome: { kind: 'cancelled', why: 'staff' } as SaleOutcome }) },
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    takingCard: {
      entry: { type: 'effect', params: { name: 'startReader' } },
      on: {
        CANCEL: {
          guard: ({ context }) => !context.cancelRequested,
          actions: [assign({ cancelRequested: true }), { type: 'effect', params: { name: 'cancelReader' } }],
        },
        CARD_READ: {
          target: 'authorising',
          // From here on the bank may have been asked, whatever happens to this program.
          actions: assign(({ event }) => ({ card: event.card, bank: 'unknown' as const })),
        },
        READER_ENDED: { target: 'deciding', actions: assign(({ context, event }) => endedBy(context, event.outcome)) },
        READER_SILENT: {
          target: 'checking',
          actions: assign(({ context }) => ({
            reader: 'lost' as const,
            checkingBecause: 'reader_lost' as const,
            bank: bankOutOfSight(context),
          })),
        },
        RESTARTED: {
          target: 'checking',
          actions: assign(({ context }) => ({ checkingBecause: 'restart' as const, bank: bankOutOfSight(context) })),
        },
      },
    },
    authorising: {
      entry: { type: 'effect', params: { name: 'askBank' } },
      on: {
        BANK_ANSWERED: {
          target: 'finishing',
          actions: assign(({ event }) => ({ bank: bankStateOf(event.record), record: event.record })),
        },
        BANK_NOT_REACHED: { target: 'finishing', actions: assign({ bank: 'not_asked' as const }) },
        BANK_REFUSED: {
          target: 'finishing',
          actions: assign(({ event }) => ({ bank: 'refused' as const, refusal: event.message })),
        },
        BANK_SILENT: { target: 'finishing', actions: assign({ checkingBecause: 'service_silent' as const }) },
        // The card left early: remembered, and decided when the bank's answer is in.
        READER_ENDED: { actions: assign(({ event }) => readerFactsAfterReading(event.outcome)) },
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    finishing: {
      entry: { type: 'effect', params: { name: 'answerReader' } },
      always: { guard: ({ context }) => context.reader !== 'not_reported', target: 'deciding' },
      on: {
        READER_ENDED: { target: 'deciding', actions: assign(({ event }) => readerFactsAfterReading(event.outcome)) },
        READER_SILENT: { target: 'deciding', actions: assign({ reader: 'lost' as const }) },
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    deciding: {
      always: [
        {
          guard: ({ context }) => context.authorisation === 'reader' && is('approved')({ context }),
          target: 'done',
          actions: [conclude, { type: 'report', params: ({ context }) => ({ report: recordReport(context) }) }],
        },
        {
          guard: ({ context }) =>
            context.authorisation === 'reader' && context.bank === 'unknown' && context.reader === 'forgotten',
          target: 'done',
          actions: assign({ outcome: { kind: 'failed', why: 'reader_forgot' } as SaleOutcome }),
        },
        {
          guard: is('approved'),
          target: 'done',
          actions: [
            conclude,
            {
              type: 'report',
              params: ({ context }) => ({
                report: { saleId: context.saleId, kind: 'complete', reason: null, until: null },
              }),
            },
          ],
        },
        {
          guard: is('reverse'),
          target: 'reversing',
          actions: [
            assign(({ context }) => ({ outcome: endedByReader(context), reversal: 'requested' as const })),
            {
              type: 'report',
              params: ({ context }) => ({
                report: { saleId: context.saleId, kind: 'reverse', reason: reverseReason(context), until: null },
              }),
            },
          ],
        },
        {
          guard: ({ context }) => is('nothing_charged')({ context }) && context.bank === 'not_found',
          target: 'done',
          actions: [
            conclude,
            {
              type: 'report',
              params: ({ context }) => ({
                report: {
                  saleId: context.saleId,
                  kind: 'watch',
                  reason: reverseReason(context),
                  until: context.startedAt + watchMs,
                },
              }),
            },
          ],
        },
        { guard: ({ context }) => !is('wait')({ context }), target: 'done', actions: conclude },
        {
          target: 'checking',
          actions: assign(({ context }) => ({ checkingBecause: context.checkingBecause ?? ('reader_lost' as const) })),
        },
      ],
    },
    checking: {
      entry: { type: 'effect', params: { name: 'check' } },
      on: {
        FOUND: {
          target: 'deciding',
          actions: assign(({ context, event }) => ({
            bank: event.bank ?? context.bank,
            record: event.record ?? context.record,
            reader: event.reader ?? context.reader,
            readerDetail: event.reader ? event.readerDetail : context.readerDetail,
            authorisationCode: event.authorisationCode ?? context.authorisationCode,
            processorReference: event.processorReference ?? context.processorReference,
            card: event.card ?? context.card,
          })),
        },
        // A reader that authorises by itself may still wait for a card.
        CANCEL: {
          guard: ({ context }) => context.authorisation === 'reader' && !context.cancelRequested,
          actions: [assign({ cancelRequested: true }), { type: 'effect', params: { name: 'cancelReader' } }],
        },
        READER_ENDED: {
          // "Not available" answers the question just asked; it says nothing of what was begun before.
          guard: ({ event }) => event.outcome.kind !== 'unknown' && event.outcome.kind !== 'not_available',
          target: 'deciding',
          actions: assign(({ context, event }) => endedBy(context, event.outcome)),
        },
        RESTARTED: { target: 'checking', reenter: true, actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    reversing: {
      entry: { type: 'effect', params: { name: 'reverse' } },
      on: {
        REVERSED: {
          target: 'done',
          actions: assign(({ event }) => ({ record: event.record })),
        },
        REVERSAL_REFUSED: { target: 'done', actions: assign({ reversal: 'refused' as const }) },
        REVERSAL_WAITS: 'done',
        // The report is stored and delivered without this flow.
        RESTARTED: 'done',
      },
    },
    /** The result is on the screen until somebody has seen it; the flow is dropped then. */
    done: {
      entry: [
        // Stored now: the reader may forget it and take the next one.
        { type: 'effect', params: { name: 'releaseReader' } },
        { type: 'effect', params: { name: 'followReversal' } },
      ],
      on: {
        RESTARTED: { target: 'done', reenter: true },
        REVERSAL_REFUSED: { actions: assign({ reversal: 'refused' as const }) },
        RECORD_CHANGED: {
          actions: [
            assign(({ event }) => ({ record: event.record })),
            { type: 'effect', params: { name: 'followReversal' } },
          ],
        },
      },
    },
  },
});

import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { assign, setup } from 'xstate';
import type { ReaderOutcome } from '../../readers/reader.ts';
import type { SaleReport } from '../store/store.ts';
import type { SaleContext, SaleOutcome } from './context.ts';
import {
  type BankState,
  bankStateOf,
  decisionOf,
  mayCancelUnanswered,
  type ReaderState,
  type SaleDecision,
} from './decision.ts';
import {
  bankUnreachable,
  endedBy,
  endedByReader,
  outcomeOf,
  readerFactsAfterReading,
  recordReport,
  reverseReasonOf,
  unknownReport,
} from './outcome.ts';

export type SaleEvent =
  | { readonly type: 'BEGIN' }
  | {
      readonly type: 'READER_READY';
      readonly bootId: string | null;
      readonly authorisation: SaleContext['authorisation'];
    }
  | { readonly type: 'READER_NOT_FOUND' }
  /** The service's response about a reader that authorises by itself. */
  | { readonly type: 'MAY_START' }
  | { readonly type: 'MAY_NOT_START' }
  | { readonly type: 'NOT_ALLOWED_YET' }
  | { readonly type: 'CANCEL' }
  | { readonly type: 'CARD_READ'; readonly card: NonNullable<SaleContext['card']> }
  | { readonly type: 'BANK_ANSWERED'; readonly record: SaleRecord }
  | { readonly type: 'BANK_NOT_REACHED' }
  | { readonly type: 'BANK_REFUSED'; readonly message: string }
  | { readonly type: 'BANK_SILENT' }
  /** The reader released an older transaction: nothing of this sale was started. */
  | { readonly type: 'READER_CLEARED' }
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
      readonly readerSerial?: string | undefined;
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

/** How long a lost request is watched for, in case it still arrives. */
const watchMs = 10 * 60_000;

const readerOf = ({ event }: { event: Extract<SaleEvent, { type: 'READER_READY' }> }) => ({
  readerBootId: event.bootId,
  authorisation: event.authorisation,
});
const is =
  (decision: SaleDecision) =>
  ({ context }: { context: SaleContext }) =>
    decisionOf(context.bank, context.reader) === decision;
const cancelled = assign<SaleContext, SaleEvent, undefined, SaleEvent, never>({
  outcome: { kind: 'cancelled', why: 'staff' },
});
const forgotten = assign<SaleContext, SaleEvent, undefined, SaleEvent, never>({
  outcome: { kind: 'failed', why: 'reader_forgot' },
});
/** A reader that authorises by itself may have charged the card, and no longer knows the sale. */
const wasForgotten = ({ authorisation, bank, reader }: SaleContext) =>
  authorisation === 'reader' && bank === 'unknown' && reader === 'forgotten';
/** Only the service knows whether its sale still stands, and such a reader charges without asking it. */
const needsPermission = ({ isRequested }: SaleContext, authorisation: SaleContext['authorisation']) =>
  isRequested && authorisation === 'reader';
const conclude = assign<SaleContext, SaleEvent, undefined, SaleEvent, never>(({ context }) => ({
  outcome: outcomeOf(decisionOf(context.bank, context.reader), context),
}));

/**
 * One card sale. A state is stored before its effect starts; after a restart every unfinished state continues in
 * `checking`, which queries the service and the reader and never starts a payment.
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
            guard: ({ context, event }) => needsPermission(context, event.authorisation),
            target: 'announcing',
            actions: assign(readerOf),
          },
          { target: 'takingCard', actions: [assign(readerOf), assign({ wasGivenToReader: true })] },
        ],
        READER_NOT_FOUND: {
          target: 'done',
          actions: assign({ outcome: { kind: 'failed', why: 'reader_not_found' } as SaleOutcome }),
        },
        CANCEL: { target: 'done', actions: cancelled },
        RESTARTED: { target: 'checking', actions: assign({ checkingBecause: 'restart' as const }) },
      },
    },
    /** A reader that authorises by itself is started only after the service has recorded the sale. */
    announcing: {
      entry: { type: 'effect', params: { name: 'announceReader' } },
      on: {
        MAY_START: { target: 'takingCard', actions: assign({ wasGivenToReader: true }) },
        MAY_NOT_START: { target: 'done', actions: cancelled },
        NOT_ALLOWED_YET: {
          target: 'done',
          actions: assign({ outcome: { kind: 'failed', why: 'service_not_reached' } as SaleOutcome }),
        },
        CANCEL: { target: 'done', actions: cancelled },
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
        READER_CLEARED: [
          { guard: ({ context }) => context.cancelRequested, target: 'done', actions: cancelled },
          { guard: ({ context }) => needsPermission(context, context.authorisation), target: 'announcing' },
          { target: 'takingCard', reenter: true },
        ],
        CARD_READ: {
          target: 'authorising',
          // From here on the request may have reached the bank, even if this program stops.
          actions: assign(({ event }) => ({ card: event.card, bank: 'unknown' as const })),
        },
        READER_ENDED: { target: 'deciding', actions: assign(({ context, event }) => endedBy(context, event.outcome)) },
        READER_SILENT: {
          target: 'checking',
          actions: assign(({ context }) => ({
            reader: 'lost' as const,
            checkingBecause: 'reader_lost' as const,
            bank: bankUnreachable(context),
          })),
        },
        RESTARTED: {
          target: 'checking',
          actions: assign(({ context }) => ({ checkingBecause: 'restart' as const, bank: bankUnreachable(context) })),
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
        BANK_SILENT: { target: 'finishing', actions: assign({ checkingBecause: 'bank_silent' as const }) },
        // The card was removed early: recorded, and evaluated when the bank has responded.
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
        // The service has a requested sale already, and is told its outcome with the request.
        { guard: ({ context }) => wasForgotten(context) && context.isRequested, target: 'done', actions: forgotten },
        {
          guard: ({ context }) => wasForgotten(context),
          target: 'done',
          actions: [forgotten, { type: 'report', params: ({ context }) => ({ report: unknownReport(context) }) }],
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
                report: { saleId: context.saleId, kind: 'reverse', reason: reverseReasonOf(context), until: null },
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
                  reason: reverseReasonOf(context),
                  until: context.startedAt + watchMs,
                },
              }),
            },
          ],
        },
        { guard: ({ context }) => !is('wait')({ context }), target: 'done', actions: conclude },
        {
          target: 'checking',
          actions: assign(({ context }) => ({
            checkingBecause: context.checkingBecause ?? (context.bank === 'pending' ? 'bank_silent' : 'reader_lost'),
          })),
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
            readerSerial: event.readerSerial ?? context.readerSerial,
            card: event.card ?? context.card,
          })),
        },
        CANCEL: [
          {
            // A reader that authorises by itself may still be waiting for a card.
            guard: ({ context }) => context.authorisation === 'reader' && !context.cancelRequested,
            actions: [assign({ cancelRequested: true }), { type: 'effect', params: { name: 'cancelReader' } }],
          },
          {
            guard: ({ context }) => mayCancelUnanswered(context),
            target: 'reversing',
            actions: [
              assign({
                outcome: { kind: 'cancelled', why: 'bank_timeout' } as SaleOutcome,
                reversal: 'requested' as const,
              }),
              {
                type: 'report',
                params: ({ context }) => ({
                  report: { saleId: context.saleId, kind: 'reverse', reason: 'outcome_unknown', until: null },
                }),
              },
            ],
          },
        ],
        READER_ENDED: {
          // `not_available` answers only the current request; it says nothing about an earlier one.
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
        // The report is stored, so it is delivered without this flow.
        RESTARTED: 'done',
      },
    },
    /** The result stays on the screen until it is dismissed; then the flow ends. */
    done: {
      entry: [
        // The outcome is stored, so the reader may release the transaction.
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

import { printNotice } from '@florin/device/core/printing/words.ts';
import { newSale, type SaleContext, type SaleOutcome } from '@florin/device/core/sales/context.ts';
import { saleScreen } from '@florin/device/core/sales/screen.ts';
import type { SaleStage, Screen } from '@florin/device/ipc/view.ts';
import type { ReaderStage } from '@florin/device/readers/reader.ts';
import type { SaleRecord, SaleReversal } from '@florin/shared/contracts/device-v1/sales.ts';
import { aSale, busyReader, displaySettings, lostReader, type Picture, viewOf } from './picture.ts';

const saleId = 'sale_019a8f3e6b7c';
const card = { scheme: 'Visa' as const, lastFour: '4242', entryMode: 'contactless' };

function aContext(nowMs: number, change: Partial<SaleContext> = {}): SaleContext {
  const started = { saleId, transactionId: saleId, amountMinor: 24_50, currency: 'GBP', startedAt: nowMs };
  return { ...newSale(started).context, ...change };
}

type Shown = {
  readonly state: string;
  readonly readerStage?: ReaderStage;
  readonly change?: Partial<SaleContext>;
  readonly mayStopWaiting?: boolean;
};

/** The state of the sale's machine and the reader's stage for each stage of the screen. */
const stages: Record<SaleStage, Shown> = {
  starting: { state: 'starting' },
  waiting_for_reader: { state: 'waitingForReader' },
  remove_previous_card: { state: 'takingCard', readerStage: 'remove_card' },
  present_card: { state: 'takingCard', readerStage: 'present_card' },
  insert_card: { state: 'takingCard', readerStage: 'insert_card' },
  card_inserted: { state: 'takingCard', readerStage: 'card_inserted' },
  card_tapped: { state: 'takingCard', readerStage: 'card_tapped' },
  card_swiped: { state: 'takingCard', readerStage: 'card_swiped' },
  choose_application: { state: 'takingCard', readerStage: 'choose_application' },
  enter_pin: { state: 'takingCard', readerStage: 'enter_pin' },
  wrong_pin: { state: 'takingCard', readerStage: 'wrong_pin' },
  authorising: { state: 'authorising', change: { card, bank: 'unknown' } },
  finishing: { state: 'finishing', change: { card, bank: 'approved' } },
  checking: { state: 'checking', change: { card, bank: 'unknown', checkingBecause: 'bank_silent' } },
  reversing: { state: 'reversing', change: { card, bank: 'approved', reversal: 'requested' } },
  remove_card: { state: 'finishing', readerStage: 'remove_card', change: { card, bank: 'approved' } },
};

export function saleStages(nowMs: number): Picture[] {
  const stage = (shown: Shown, ageMs = 0, more: Partial<SaleContext> = {}) =>
    saleScreen({
      state: shown.state,
      context: aContext(nowMs, { ...shown.change, ...more }),
      readerStage: shown.readerStage,
      since: nowMs - ageMs,
      bankSince: nowMs - ageMs,
      displaySettings,
      requestedBy: null,
      mayStopWaiting: shown.mayStopWaiting ?? false,
      isReaderReady: true,
      hasPrinter: true,
    });
  return [
    ...Object.entries(stages).map(([of, shown]) => ({ name: `sale-${of}`, view: viewOf(stage(shown), busyReader) })),
    { name: 'sale-with-tip', view: viewOf(stage(stages.present_card, 0, { tipMinor: 2_23 }), busyReader) },
    {
      name: 'sale-present_card-offline',
      view: viewOf(withBitcoin(stage(stages.present_card)), { service: 'offline', ...busyReader }),
    },
    {
      name: 'sale-authorising-offline',
      view: viewOf(stage(stages.authorising, 25_000), { service: 'offline', ...busyReader }),
    },
    { name: 'sale-authorising-late', view: viewOf(stage(stages.authorising, 25_000), busyReader) },
    {
      name: 'sale-checking-late',
      view: viewOf(stage(stages.checking, 134_000), { service: 'offline', ...busyReader }),
    },
    {
      name: 'sale-checking-unanswered',
      view: viewOf(stage({ ...stages.checking, mayStopWaiting: true }, 61_000, { bank: 'pending' })),
    },
    {
      name: 'sale-checking-reader-lost',
      view: viewOf(stage(stages.checking, 12_000, { bank: 'approved', checkingBecause: 'reader_lost' }), lostReader),
    },
    { name: 'sale-waiting_for_reader-late', view: viewOf(stage(stages.waiting_for_reader, 9000), lostReader) },
    { name: 'sale-cancelling', view: viewOf(stage(stages.present_card, 0, { cancelRequested: true }), busyReader) },
    {
      name: 'sale-finishing-connection-lost',
      view: viewOf(stage({ state: 'finishing' }, 0, { card, bank: 'not_asked' }), {
        service: 'offline',
        ...busyReader,
      }),
    },
    { name: 'sale-requested', view: viewOf(requested(stage(stages.present_card)), busyReader) },
    {
      name: 'sale-requested-long',
      view: viewOf(
        requested(stage(stages.authorising), 'Point of sale of the garden centre at the old mill', 'Table 12'),
        busyReader,
      ),
    },
    {
      name: 'sale-huge-amount',
      view: viewOf(stage(stages.present_card, 0, { amountMinor: 999_999_999_999, currency: 'KWD' }), {
        currency: 'KWD',
      }),
    },
  ];
}

/** The screen of a sale whose customer may choose bitcoin. */
function withBitcoin(screen: Screen): Screen {
  if (screen.name !== 'sale') throw new Error('no sale is shown');
  return { ...screen, mayUseBitcoin: true };
}

/** The screen of a sale that the shop's software started. */
function requested(screen: Screen, name = 'Till software', reference: string | null = 'Order 1042'): Screen {
  if (screen.name !== 'sale' && screen.name !== 'sale_result') throw new Error('no sale is shown');
  return { ...screen, requestedBy: { name, reference, language: null } };
}

type Ended = { readonly kind: SaleOutcome['kind']; readonly change?: (nowMs: number) => Partial<SaleContext> };

const declined = (nowMs: number): Partial<SaleContext> => ({
  card,
  bank: 'declined',
  record: aSale(nowMs, {
    status: 'declined',
    action: 'none',
    authorisationCode: null,
    declineMessage: 'CARD DECLINED',
    remainingInCents: 0,
  }),
});

/** Every reason for which a sale can end. */
const ends: Record<SaleOutcome['why'], Ended> = {
  reader_confirmed: { kind: 'approved', change: nowMs => ({ card, record: aSale(nowMs) }) },
  reader_gone: { kind: 'approved', change: nowMs => ({ card, record: aSale(nowMs) }) },
  bank_declined: { kind: 'declined', change: nowMs => ({ ...declined(nowMs), reference: 'Table 12', tipMinor: 2_23 }) },
  bank_failed: {
    kind: 'failed',
    change: nowMs => ({
      ...declined(nowMs),
      bank: 'failed',
      record: aSale(nowMs, {
        status: 'failed',
        action: 'none',
        declineMessage: 'The bank never received this payment',
        remainingInCents: 0,
      }),
    }),
  },
  card_refused: { kind: 'declined' },
  customer: { kind: 'cancelled', change: () => ({ card }) },
  staff: { kind: 'cancelled' },
  bank_timeout: {
    kind: 'cancelled',
    change: nowMs => ({
      card,
      bank: 'pending',
      reversal: 'requested',
      record: aSale(nowMs, {
        status: 'pending',
        action: 'none',
        authorisationCode: null,
        remainingInCents: 0,
        reversal: { reason: 'outcome_unknown', status: 'awaiting_outcome' },
      }),
    }),
  },
  no_card: { kind: 'timed_out' },
  reader_not_found: { kind: 'failed' },
  reader_not_available: { kind: 'failed', change: () => ({ readerDetail: 'TAMPER' }) },
  service_not_reached: { kind: 'failed', change: () => ({ card }) },
  service_refused: { kind: 'failed', change: () => ({ refusal: 'The currency is not that of this business' }) },
  interrupted: { kind: 'failed', change: () => ({ checkingBecause: 'reader_lost' }) },
  voided: {
    kind: 'failed',
    change: nowMs => ({ card, record: aSale(nowMs, { status: 'cancelled', action: 'none' }) }),
  },
  reader_forgot: { kind: 'failed', change: () => ({ authorisation: 'reader', bank: 'unknown', reader: 'forgotten' }) },
  disagree: { kind: 'failed', change: () => ({ card }) },
};

/** Each status of a reversal, and the status of its sale. */
const reversals: Record<SaleReversal['status'], Partial<SaleRecord>> = {
  awaiting_outcome: { status: 'pending' },
  not_needed: { status: 'declined' },
  void_pending: {},
  voided: { status: 'cancelled', remainingInCents: 0 },
  awaiting_settlement: {},
  refund_pending: { status: 'settled', pendingInCents: 24_50 },
  refunded: { status: 'refunded', refundedInCents: 24_50, remainingInCents: 0 },
  declined: { status: 'settled' },
};

export function saleResults(nowMs: number): Picture[] {
  const result = (why: SaleOutcome['why'], more: Partial<SaleContext> = {}, requestedBy: string | null = null) => {
    const { kind, change } = ends[why];
    const outcome = { kind, why };
    const context = aContext(nowMs, { ...change?.(nowMs), outcome, ...more });
    return saleScreen({
      state: 'done',
      context,
      readerStage: undefined,
      since: nowMs,
      bankSince: nowMs,
      displaySettings,
      requestedBy,
      mayStopWaiting: false,
      isReaderReady: false,
      hasPrinter: true,
    });
  };
  const offline = { service: 'offline' } as const;
  const signed = viewOf(
    result('reader_confirmed', { card: { ...card, entryMode: 'swipe', asksSignature: true } }),
    {},
    { state: 'possible', isCopy: false, notice: null },
  );
  const notice = printNotice('out_of_paper', { words: displaySettings.words.printing, mayHavePrinted: true });
  return [
    { name: 'sale-result-staff-large', view: viewOf(result('staff', { amountMinor: 120_00 })) },
    ...Object.keys(ends).map(why => ({
      name: `sale-result-${why}`,
      view: viewOf(
        result(why as SaleOutcome['why']),
        why === 'service_not_reached' ? offline : why === 'reader_not_found' || why === 'reader_gone' ? lostReader : {},
      ),
    })),
    ...Object.keys(reversals).map(status => ({
      name: `sale-result-reversal-${status}`,
      view: viewOf(
        result('card_refused', {
          card,
          reversal: 'requested',
          record: aSale(nowMs, {
            ...reversals[status as SaleReversal['status']],
            action: 'none',
            reversal: { reason: 'card_refused', status: status as SaleReversal['status'] },
          }),
        }),
      ),
    })),
    { name: 'sale-result-signature', view: signed },
    {
      name: 'sale-result-signature-with-tip',
      view: viewOf(
        result('reader_confirmed', {
          card: { ...card, entryMode: 'swipe', asksSignature: true },
          record: aSale(nowMs, { entryMode: 'swipe' }),
          tipMinor: 2_23,
          reference: 'Upstairs terrace, second till, window 12',
        }),
        {},
        { state: 'possible', isCopy: false, notice: null },
      ),
    },
    {
      name: 'sale-result-with-tip',
      view: viewOf(
        result('reader_confirmed', { tipMinor: 2_23, reference: 'Table 12' }),
        {},
        { state: 'possible', isCopy: false, notice: null },
      ),
    },
    {
      name: 'sale-result-approved-requested',
      view: viewOf(requested(result('reader_confirmed', { reference: 'Order 1042' }, 'Till software'))),
    },
    {
      name: 'sale-result-signature-half-printed',
      view: { ...signed, receipt: signed.receipt && { ...signed.receipt, merchantCopy: { notice } } },
    },
    {
      name: 'sale-result-requested',
      view: viewOf(requested(result('bank_declined', { tipMinor: undefined }, 'Till software'))),
    },
    {
      name: 'sale-result-partly-approved',
      view: viewOf(
        result('card_refused', {
          card,
          record: aSale(nowMs, { action: 'none', reversal: { reason: 'partial_approval', status: 'void_pending' } }),
        }),
      ),
    },
    {
      name: 'sale-result-reversal-not_acknowledged',
      view: viewOf(result('card_refused', { card, reversal: 'requested' }), { service: 'offline' }),
    },
    {
      name: 'sale-result-reversal-refused',
      view: viewOf(result('card_refused', { card, reversal: 'refused', record: aSale(nowMs) })),
    },
  ];
}

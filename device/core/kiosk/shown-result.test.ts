import { expect, test } from 'vitest';
import { testClock } from '../../../test/support/clock.ts';
import type { Screen } from '../../ipc/view.ts';
import { newSale, type SaleContext, type SaleOutcome } from '../sales/context.ts';
import { saleScreen } from '../sales/screen.ts';
import { coreWords } from '../words.ts';
import { ShownResult } from './shown-result.ts';

const displaySettings = {
  businessName: 'Shop',
  terminalName: 'Kiosk',
  words: coreWords.en,
  locale: 'en-GB',
  timeZone: 'UTC',
};
const idle: Screen = { name: 'kiosk_idle' };

function ended(outcome: SaleOutcome, change: Partial<SaleContext> = {}): Screen {
  const started = { saleId: 'sale_1', transactionId: 'sale_1', amountMinor: 300, currency: 'GBP', startedAt: 0 };
  const context = { ...newSale(started).context, outcome, ...change };
  return saleScreen({
    state: 'done',
    context,
    readerStage: undefined,
    since: 0,
    bankSince: null,
    displaySettings,
    requestedBy: null,
    mayStopWaiting: false,
    isReaderReady: false,
    hasPrinter: true,
  });
}

function aScreen({ mayLeave = () => true }: { mayLeave?: () => boolean } = {}) {
  const clock = testClock();
  let left = 0;
  const result: ShownResult = new ShownResult({
    clock,
    timers: clock,
    publish() {
      if (!mayLeave()) return;
      left += 1;
      result.look(idle, { isKiosk: true, receipt: null });
    },
  });
  return { clock, result, left: () => left };
}

test('kiosk mode closes a result by itself, later if the customer has to ask staff; at a till it stays', () => {
  const approved = ended({ kind: 'approved', why: 'reader_confirmed' });
  const contested = ended({ kind: 'failed', why: 'disagree' });
  const kiosk = aScreen();
  kiosk.result.look(approved, { isKiosk: true, receipt: null });
  kiosk.clock.advance({ seconds: 7 });
  expect(kiosk.left()).toBe(0);
  kiosk.clock.advance({ seconds: 1 });
  expect(kiosk.left()).toBe(1);
  kiosk.result.look(idle, { isKiosk: true, receipt: null });
  kiosk.result.look(contested, { isKiosk: true, receipt: null });
  kiosk.clock.advance({ seconds: 59 });
  expect(kiosk.left()).toBe(1);
  kiosk.clock.advance({ seconds: 1 });
  expect(kiosk.left()).toBe(2);

  const till = aScreen();
  till.result.look(approved, { isKiosk: false, receipt: null });
  till.clock.advance({ hours: 1 });
  expect(till.left()).toBe(0);
});

test('a sale that its software cancelled closes at a till, too, and one that staff cancelled stays', () => {
  const cancelled = ended({ kind: 'cancelled', why: 'customer' });
  if (cancelled.name !== 'sale_result') throw new Error('not a result');
  const till = aScreen();
  till.result.look({ ...cancelled, isEndedBySoftware: true }, { isKiosk: false, receipt: null });
  till.clock.advance({ seconds: 7 });
  expect(till.left()).toBe(0);
  till.clock.advance({ seconds: 1 });
  expect(till.left()).toBe(1);
  till.result.look(idle, { isKiosk: false, receipt: null });
  till.result.look(cancelled, { isKiosk: false, receipt: null });
  till.clock.advance({ hours: 1 });
  expect(till.left()).toBe(1);
});

test('a changed result gets its full time again, and closing is retried while it is not possible', () => {
  let mayLeave = false;
  const { clock, result, left } = aScreen({ mayLeave: () => mayLeave });
  const asked = { outcome: { kind: 'failed', why: 'interrupted' }, reversal: 'requested' } as const;
  const returning = ended(asked.outcome, { reversal: 'requested' });
  result.look(returning, { isKiosk: true, receipt: null });
  clock.advance({ seconds: 50 });
  result.look(ended(asked.outcome), { isKiosk: true, receipt: null });
  clock.advance({ seconds: 14 });
  expect(left()).toBe(0);
  mayLeave = true;
  clock.advance({ seconds: 1 });
  expect(left()).toBe(1);
  mayLeave = false;
  result.look(idle, { isKiosk: true, receipt: null });
  result.look(returning, { isKiosk: true, receipt: null });
  clock.advance({ seconds: 65 });
  mayLeave = true;
  clock.advance({ seconds: 1 });
  expect(left()).toBe(2);
});

test('the next sale does not replace a result before it could be read', () => {
  const { clock, result } = aScreen();
  const heldMs = () => result.heldUntil() - clock.now();
  result.look(ended({ kind: 'approved', why: 'reader_confirmed' }), { isKiosk: false, receipt: null });
  expect(heldMs()).toBe(4_000);
  clock.advance({ seconds: 1 });
  result.look(ended({ kind: 'approved', why: 'reader_confirmed' }), { isKiosk: false, receipt: null });
  expect(heldMs()).toBe(3_000);
  result.look(ended({ kind: 'failed', why: 'disagree' }), { isKiosk: false, receipt: null });
  expect(heldMs()).toBe(15_000);
  result.look(idle, { isKiosk: true, receipt: null });
  expect(heldMs()).toBeLessThan(0);
});

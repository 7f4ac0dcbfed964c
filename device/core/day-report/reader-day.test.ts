import { afterEach, expect, test } from 'vitest';
import { TerminalWorld } from '../../../test/support/terminal/terminal-world.ts';
import type { EndOfDayOutcome, ReaderTotals } from '../../readers/reader.ts';
import { coreWords } from '../words.ts';

let world: TerminalWorld;
afterEach(async () => world.end());

const { readerDay: words } = coreWords.en;
const totals: ReaderTotals = {
  readerSerial: 'R-1',
  totalMinor: 1_550,
  receipts: { first: '0001', last: '0005' },
  cardTypes: [{ name: 'Visa', count: 2, amountMinor: 1_550 }],
};
const reported = {
  readerSerial: 'R-1',
  currency: 'GBP',
  totals: {
    totalInCents: 1_550,
    receipts: { first: '0001', last: '0005' },
    cardTypes: [{ name: 'Visa', count: 2, amountInCents: 1_550 }],
  },
};

/** A terminal with a reader that has a day of its own, at the page about it. */
async function aWorld(): Promise<void> {
  world = await TerminalWorld.begin();
  world.reader.authorisation = 'reader';
  world.reader.dayEnds = { totals, outcome: { kind: 'closed' } };
  await world.enrol();
  await atReaderDay();
}

async function atReaderDay(): Promise<void> {
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  expect(await world.screen('day_report', screen => !screen.busy)).toMatchObject({ hasReaderDay: true });
  expect(await world.send({ name: 'show_reader_day' })).toBe('accepted');
  expect(await world.screen('reader_day')).toEqual({
    name: 'reader_day',
    busy: false,
    agrees: false,
    lines: [],
    notice: null,
  });
}

const closeDay = () => world.send({ name: 'close_reader_day' });
const said = (message: string) =>
  world.screen('reader_day', ({ busy, notice }) => !busy && notice?.message === message);
const received = () => [...world.service.readerDays.closings.values()];

test('is closed, reported and compared, and the page says how the totals compare', async () => {
  await aWorld();
  await closeDay();
  expect(await said(words.agrees.message)).toMatchObject({ agrees: true });
  expect(received()).toMatchObject([{ ...reported, isConfirmed: true }]);
  world.service.readerDays.comparison = {
    comparison: 'differs',
    currency: 'GBP',
    totalInCents: 1_550,
    recordedInCents: 1_000,
    recordedCount: 1,
  };
  await closeDay();
  const { lines } = await said(words.differs('£5.50').message);
  expect(lines).toEqual([
    { label: 'By the card reader', value: '£15.50' },
    { label: 'By the records', value: '£10.00' },
  ]);
  await world.send({ name: 'back' });
  await world.screen('day_report');
});

test.each(['first', 'closed_before'] as const)('that cannot be compared is no difference: %s', async comparison => {
  await aWorld();
  const none = { totalInCents: 1_550, recordedInCents: null, recordedCount: null };
  world.service.readerDays.comparison = { comparison, currency: 'GBP', ...none };
  await closeDay();
  await world.screen('reader_day', ({ notice }) => notice?.detail === words[comparison].detail);
});

test.each(['busy', 'pending', 'not_connected', 'refused_83'])('that is refused (%s) reports nothing', async reason => {
  await aWorld();
  world.reader.dayEnds = { totals: null, outcome: { kind: 'refused', reason } };
  await closeDay();
  const known = words.refused as Readonly<Record<string, { message: string }>>;
  await said((known[reason] ?? words.refused.other).message);
  expect(received()).toEqual([]);
  expect(world.store.flow('closing')).toBeUndefined();
});

test('whose answer was lost is reported as such, and closed again', async () => {
  await aWorld();
  world.reader.dayEnds = { totals: null, outcome: { kind: 'unknown' } };
  await closeDay();
  await said(words.not_received.message);
  await world.until('the report', () => received().length === 1);
  expect(received()).toMatchObject([{ readerSerial: 'R-1', isConfirmed: false, totals: null }]);
});

test('offline it is stored, also over a restart, and sent after what was stored before it', async () => {
  await aWorld();
  await world.service.stop();
  await closeDay();
  await said(words.waiting.message);
  world.restart();
  await world.screen('keypad');
  expect(world.store.pendingReports()).toMatchObject([{ kind: 'closing' }]);
  await world.service.start();
  await world.until('the report', () => received().length === 1);
  expect(received()).toMatchObject([{ ...reported, isConfirmed: true }]);
});

test('nothing else begins meanwhile, and it does not begin while something is in progress', async () => {
  await aWorld();
  let end: (outcome: EndOfDayOutcome) => void = () => undefined;
  const outcome = new Promise<EndOfDayOutcome>(resolve => {
    end = resolve;
  });
  world.reader.dayEnds = { totals, outcome };
  await closeDay();
  await world.screen('reader_day', screen => screen.busy);
  for (const name of ['close_reader_day', 'back', 'show_keypad', 'show_recent_sales', 'show_status'] as const)
    expect([name, await world.send({ name })]).toEqual([name, 'not_now']);
  expect(await world.send({ name: 'start_sale', amountMinor: 100 })).toBe('not_now');
  end({ kind: 'closed' });
  await said(words.agrees.message);
  await world.send({ name: 'show_keypad' });
  world.reader.presentsByItself = false;
  await world.send({ name: 'start_sale', amountMinor: 100 });
  await world.screen('sale');
  expect(await world.send({ name: 'show_reader_day' })).toBe('not_now');
  expect(await closeDay()).toBe('not_now');
});

test('is not offered for a reader for which the service authorises', async () => {
  world = await TerminalWorld.begin();
  await world.enrol();
  await world.send({ name: 'show_day_report', scope: 'terminal' });
  expect(await world.screen('day_report', screen => !screen.busy)).toMatchObject({ hasReaderDay: false });
  expect(await world.send({ name: 'show_reader_day' })).toBe('not_now');
});

test('wherever the power fails, a day that the reader closed is reported once, with its totals', async () => {
  for (let step = 1; ; step += 1) {
    await aWorld();
    let isAcknowledged = false;
    world.reader.onTotalsStored = () => {
      isAcknowledged = !world.hasCrashed;
    };
    world.crashAt(world.steps + step);
    await closeDay().catch(() => undefined);
    await world.until('an end', () => world.hasCrashed || received().length === 1);
    if (!world.hasCrashed) world.crashAt(0);
    const { hasCrashed } = world;
    if (hasCrashed) {
      world.restart();
      await world.screen('keypad');
      await world.until('all reports to be delivered', () => world.store.pendingReports().length === 0);
    }
    expect(received().length).toBeLessThanOrEqual(1);
    if (isAcknowledged) expect(received()).toMatchObject([reported]);
    expect(world.store.flow('closing')).toBeUndefined();
    if (!hasCrashed) return;
    await world.end();
  }
});

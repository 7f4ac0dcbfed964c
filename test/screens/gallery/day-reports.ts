import { dayReportLines, type ReportScope, type Unsent } from '@florin/device/core/day-report/lines.ts';
import type { Notice } from '@florin/device/ipc/view.ts';
import type { DayTotals, RailTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { displaySettings, minuteMs, type Picture, viewOf } from './picture.ts';

const card: RailTotals = {
  rail: 'card',
  currency: 'GBP',
  takenInCents: 1_284_50,
  voidedInCents: 24_50,
  rejectedInCents: 18_00,
  refundedInCents: 61_25,
  netInCents: 1_180_75,
  paymentCount: 87,
  voidCount: 1,
  rejectedCount: 1,
  refundCount: 4,
  tipInCents: 0,
  tipCount: 0,
  takenSats: 0,
  refundedSats: 0,
};
const nothingReturned = {
  voidedInCents: 0,
  rejectedInCents: 0,
  refundedInCents: 0,
  voidCount: 0,
  rejectedCount: 0,
  refundCount: 0,
};
const lightning: RailTotals = {
  ...card,
  ...nothingReturned,
  rail: 'lightning',
  takenInCents: 42_00,
  netInCents: 42_00,
  paymentCount: 3,
  takenSats: 61_250,
};
const tips: RailTotals = {
  ...lightning,
  currency: 'BTC',
  takenInCents: 5_000,
  netInCents: 5_000,
  paymentCount: 2,
  tipInCents: 5_000,
  tipCount: 2,
  takenSats: 5_000,
};
const onchain: RailTotals = {
  ...lightning,
  rail: 'onchain',
  takenInCents: 310_00,
  refundedInCents: 60_00,
  refundCount: 1,
  netInCents: 250_00,
  paymentCount: 1,
  takenSats: 452_100,
  refundedSats: 87_503,
};

const nothingUnsent: Unsent = { recorded: [], completedCount: 0, reversedCount: 0, entryCount: 0 };

/** The totals of a day: of each rail, of nothing, and as they are known offline. */
export function dayReports(nowMs: number): Picture[] {
  const { dayReport: words } = displaySettings.words;
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: displaySettings.timeZone, dateStyle: 'short' }).format(
    nowMs,
  );
  const asOf = nowMs - 25 * minuteMs;
  const totals = (rails: RailTotals[], open: DayTotals['terminal']['open'] = []): DayTotals => ({
    date,
    timeZone: displaySettings.timeZone,
    from: `${date}T00:00:00.000Z`,
    to: `${date}T00:00:00.000Z`,
    asOf: new Date(asOf).toISOString(),
    terminal: { rails, open },
    business: { rails, open },
  });
  const report = (
    given: DayTotals,
    more: { scope?: ReportScope; unsent?: Unsent; offlineSince?: number | null; notice?: Notice | null } = {},
  ) => {
    const { scope = 'terminal', unsent = nothingUnsent, offlineSince = null, notice = null } = more;
    const lines = dayReportLines({
      totals: given,
      scope,
      settings: displaySettings,
      offlineSince,
      unsent,
      now: nowMs,
    });
    const sections = lines.map(section => ({ title: section.title, lines: [...section.lines] }));
    return {
      name: 'day_report',
      date,
      isToday: true,
      scope,
      busy: false,
      sections,
      print: 'possible',
      hasReaderDay: false,
      notice,
    } as const;
  };
  const open = [
    { kind: 'unknown_sale', currency: 'GBP', count: 1, amountInCents: 15_00 },
    { kind: 'discrepancy', currency: 'GBP', count: 2, amountInCents: 48_00 },
  ] as const;
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: displaySettings.timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });
  const notice = words.offline(time.format(asOf), time.format(asOf + minuteMs));
  const unsent: Unsent = {
    recorded: [{ amountMinor: 12_00, currency: 'GBP' }],
    completedCount: 2,
    reversedCount: 1,
    entryCount: 3,
  };
  const { readerDay } = displaySettings.words;
  const readerLines = [
    { label: readerDay.byReader, value: '£1,284.50' },
    { label: readerDay.byRecords, value: '£1,279.00' },
  ];
  const day = (notice: Notice | null, lines = readerLines.slice(0, 0), busy = false) =>
    viewOf({ name: 'reader_day', busy, agrees: notice === readerDay.agrees, lines, notice });
  const empty = { ...report(totals([])), sections: [] };
  return [
    { name: 'day-report', view: viewOf(report(totals([card]))) },
    {
      name: 'day-report-everything',
      view: viewOf(report(totals([card, tips, lightning, onchain], [...open]), { scope: 'business' })),
    },
    { name: 'day-report-nothing', view: viewOf({ ...report(totals([])), isToday: false, print: 'printed' }) },
    {
      name: 'day-report-offline-notice',
      view: viewOf(report(totals([card, lightning]), { notice, unsent, offlineSince: asOf + minuteMs }), {
        service: 'offline',
        waitingToSync: 7,
      }),
    },
    { name: 'day-report-reader-day', view: viewOf({ ...report(totals([card])), hasReaderDay: true }) },
    { name: 'reader-day', view: day(null) },
    { name: 'reader-day-busy', view: day(null, [], true) },
    { name: 'reader-day-agrees', view: day(readerDay.agrees, readerLines) },
    { name: 'reader-day-differs', view: day(readerDay.differs('£5.50'), readerLines) },
    { name: 'reader-day-closed-before', view: day(readerDay.closed_before, readerLines) },
    { name: 'reader-day-not-received', view: day(readerDay.not_received) },
    { name: 'day-report-busy', view: viewOf({ ...empty, busy: true }) },
    {
      name: 'day-report-never-received',
      view: viewOf({ ...empty, notice: words.neverReceived }, { service: 'offline' }),
    },
  ];
}

import { formatSats } from '@florin/shared/bitcoin.ts';
import type { DayTotals, OpenItems, RailTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { formatMoney } from '@florin/shared/money.ts';
import type { Instant } from '@florin/shared/ports.ts';
import { timeAtBusiness } from '../staff/time.ts';
import type { CoreWords, DisplaySettings } from '../words.ts';

export type ReportLine = { readonly label: string; readonly value: string };
/** Lines of a report under a title; the first section, of the day itself, has none. */
export type ReportSection = { readonly title: string | null; readonly lines: readonly ReportLine[] };

/** Whose figures a report has. */
export type ReportScope = 'terminal' | 'business';

/** What this terminal has not delivered to the service, so that the totals do not have it. */
export type Unsent = {
  /** Sales that the reader authorised by itself. */
  readonly recorded: readonly { readonly amountMinor: number; readonly currency: string }[];
  readonly completedCount: number;
  readonly reversedCount: number;
  readonly entryCount: number;
};

/**
 * An end-of-day report as lines, for the screen and for paper. Amounts and times are formatted; a rail without movements, and
 * a kind of movement that did not happen, has no line.
 */
export function dayReportLines(report: {
  readonly totals: DayTotals;
  readonly scope: ReportScope;
  readonly settings: DisplaySettings;
  /** Null if the service is reachable, or has not been reached since the terminal was started. */
  readonly offlineSince: Instant | null;
  readonly unsent: Unsent;
  readonly now: Instant;
}): ReportSection[] {
  const { totals, scope, settings, unsent } = report;
  const { rails, open } = totals[scope];
  const { dayReport: words } = settings.words;
  const format = formatsOf(settings);
  return [
    { title: null, lines: headLines(report) },
    ...rails.map(rail => railSection(rail, format)),
    ...togetherSections(rails, format),
    ...(rails.length === 0 ? [{ title: null, lines: [{ label: words.nothing, value: '' }] }] : []),
    ...(open.length === 0 ? [] : [{ title: words.open.title, lines: open.map(items => openLine(items, format)) }]),
    ...unsentSections(unsent, format),
  ];
}

function headLines(report: Parameters<typeof dayReportLines>[0]): ReportLine[] {
  const { totals, scope, settings, offlineSince, now } = report;
  const { locale, timeZone, terminalName } = settings;
  const { dayReport: words } = settings.words;
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'full' });
  const time = (at: Instant) => timeAtBusiness({ at, now, timeZone, locale });
  return [
    { label: words.day, value: day.format(Date.parse(`${totals.date}T00:00:00.000Z`)) },
    { label: words.of, value: scope === 'terminal' ? terminalName : words.business },
    { label: words.asOf, value: time(Date.parse(totals.asOf)) },
    ...(offlineSince === null ? [] : [{ label: words.offlineSince, value: time(offlineSince) }]),
  ];
}

type Formats = {
  readonly words: CoreWords['dayReport'];
  readonly amount: (amountMinor: number, currency: string) => string;
  readonly sats: (count: number) => string;
};

function formatsOf({ locale, words }: DisplaySettings): Formats {
  const sats = (count: number) => formatSats(count, locale);
  return {
    words: words.dayReport,
    sats,
    // What is priced in bitcoin has its amounts in satoshis.
    amount: (amountMinor, currency) =>
      currency === 'BTC' ? sats(amountMinor) : formatMoney({ amountMinor, currency }, locale),
  };
}

function railSection(totals: RailTotals, format: Formats): ReportSection {
  const { words } = format;
  const { rail, currency, takenSats, refundedSats } = totals;
  const isPricedInBitcoin = currency === 'BTC';
  const title = isPricedInBitcoin ? words.inBitcoin(words.rails[rail]) : words.rails[rail];
  const sats = (label: string, count: number) =>
    count === 0 || isPricedInBitcoin ? [] : [{ label, value: format.sats(count) }];
  const [sales, ...rest] = sumLines(totals, format);
  return {
    title,
    lines: [
      ...(sales ? [sales] : []),
      ...sats(words.receivedSats, takenSats),
      ...rest,
      ...sats(words.returnedSats, refundedSats),
      ...netLines(totals, format),
    ],
  };
}

type Sums = Omit<RailTotals, 'rail' | 'takenSats' | 'refundedSats'>;

/** The sales first, then what was returned of any. */
function sumLines(sums: Sums, format: Formats): ReportLine[] {
  const { words } = format;
  const line = (label: string, amountMinor: number) => ({ label, value: format.amount(amountMinor, sums.currency) });
  const ifAny = (count: number, label: (count: number) => string, amountMinor: number) =>
    count === 0 ? [] : [line(label(count), amountMinor)];
  return [
    line(words.sales(sums.paymentCount), sums.takenInCents),
    ...ifAny(sums.voidCount, words.voids, -sums.voidedInCents),
    ...ifAny(sums.rejectedCount, words.rejected, -sums.rejectedInCents),
    ...ifAny(sums.refundCount, words.refunds, -sums.refundedInCents),
  ];
}

/** What remains, and what of it is tips: without those that were given back. They are negative if more were than came in. */
function netLines({ currency, netInCents, tipInCents, tipCount }: Sums, format: Formats): ReportLine[] {
  const { words } = format;
  const tips = { label: words.tips(tipCount), value: format.amount(tipInCents, currency) };
  const hasTips = tipCount !== 0 || tipInCents !== 0;
  return [{ label: words.net, value: format.amount(netInCents, currency) }, ...(hasTips ? [tips] : [])];
}

/** The sums of each currency that several rails have. */
function togetherSections(rails: readonly RailTotals[], format: Formats): ReportSection[] {
  const byCurrency = [...Map.groupBy(rails, ({ currency }) => currency)].filter(([, parts]) => parts.length > 1);
  return byCurrency.map(([currency, parts]) => {
    const sum = (of: (part: RailTotals) => number) => parts.reduce((total, part) => total + of(part), 0);
    const sums: Sums = {
      currency,
      takenInCents: sum(part => part.takenInCents),
      voidedInCents: sum(part => part.voidedInCents),
      rejectedInCents: sum(part => part.rejectedInCents),
      refundedInCents: sum(part => part.refundedInCents),
      netInCents: sum(part => part.netInCents),
      paymentCount: sum(part => part.paymentCount),
      voidCount: sum(part => part.voidCount),
      rejectedCount: sum(part => part.rejectedCount),
      refundCount: sum(part => part.refundCount),
      tipInCents: sum(part => part.tipInCents),
      tipCount: sum(part => part.tipCount),
    };
    return { title: format.words.together, lines: [...sumLines(sums, format), ...netLines(sums, format)] };
  });
}

function openLine({ kind, count, amountInCents, currency }: OpenItems, format: Formats): ReportLine {
  return { label: format.words.open[kind](count), value: format.amount(amountInCents, currency) };
}

function unsentSections({ recorded, ...counts }: Unsent, format: Formats): ReportSection[] {
  const { unsent: words } = format.words;
  const byCurrency = [...Map.groupBy(recorded, ({ currency }) => currency)];
  const ifAny = (count: number, label: (count: number) => string) =>
    count === 0 ? [] : [{ label: label(count), value: '' }];
  const lines = [
    ...byCurrency.map(([currency, sales]) => ({
      label: words.recorded(sales.length),
      value: format.amount(
        sales.reduce((total, { amountMinor }) => total + amountMinor, 0),
        currency,
      ),
    })),
    ...ifAny(counts.completedCount, words.completed),
    ...ifAny(counts.reversedCount, words.reversed),
    ...ifAny(counts.entryCount, words.entries),
  ];
  return lines.length === 0 ? [] : [{ title: words.title, lines }];
}

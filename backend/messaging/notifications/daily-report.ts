import { formatAmount } from '@florin/shared/bitcoin.ts';
import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import { Temporal } from 'temporal-polyfill';
import type { LetterTable } from '../../foundation/mail.ts';
import type { Notification, Place } from './messages.ts';
import type { NotificationWords } from './words/notification-words.ts';
import { notificationWords } from './words/words.ts';

/** What a report tells of a day: its part of the overview, and what needs a person when it is sent. */
export type DayFigures = {
  readonly day: OverviewRecord['today'];
  readonly problems: readonly ProblemRecord[];
};

type Sums = OverviewRecord['today']['totals'][number];
type Rail = OverviewRecord['today']['rails'][number];
type ReportWords = NotificationWords['report'];

/** More of them are found in the portal. */
const mostProblems = 10;

/** The notification of what moved on a day, in the figures of the overview. */
export function dailyReport({ day, problems }: DayFigures, place: Place): Notification {
  const { name, language, locale } = place;
  const words = notificationWords[language].report;
  const date = Temporal.PlainDate.from(day.day).toLocaleString(locale, { dateStyle: 'full' });
  const isOfSeveral = ({ currency }: Sums) => day.rails.filter(each => each.currency === currency).length > 1;
  const table = (each: Rail | Sums) => figures(nameOf(each, day.totals, words), each, words, locale);
  return {
    kind: 'daily_report',
    letter: {
      language,
      subject: words.subject(name, date),
      paragraphs: [
        words.about,
        ...day.totals.filter(isOfSeveral).map(table),
        ...day.rails.map(table),
        ...openProblems(problems, words),
      ],
      action: { label: words.open, url: place.page('') },
    },
  };
}

/** With the currency where there are several. */
function nameOf(part: Sums | Rail, totals: readonly Sums[], words: ReportWords): string {
  const name = 'rail' in part ? words.rails[part.rail] : words.total;
  return totals.length > 1 ? `${name} (${part.currency})` : name;
}

function figures(title: string, sums: Sums, words: ReportWords, locale: string): LetterTable {
  const amount = (amountMinor: number) => formatAmount(amountMinor, sums.currency, locale);
  const { rejectedInCents, rejectedCount, tipInCents, tipCount } = sums;
  const rejected = [words.rejected(rejectedCount), amount(0 - rejectedInCents)] as const;
  const tips = [words.tips(tipCount), amount(tipInCents)] as const;
  return {
    title,
    rows: [
      [words.payments(sums.paymentCount), amount(sums.takenInCents)],
      [words.voids(sums.voidCount), amount(0 - sums.voidedInCents)],
      ...(rejectedCount === 0 ? [] : [rejected]),
      [words.refunds(sums.refundCount), amount(0 - sums.refundedInCents)],
      [words.net, amount(sums.netInCents)],
      ...(tipCount === 0 && tipInCents === 0 ? [] : [tips]),
    ],
    isOfFigures: true,
  };
}

function openProblems(problems: readonly ProblemRecord[], words: ReportWords): (string | LetterTable)[] {
  if (problems.length === 0) return [words.noProblems];
  const rows = problems
    .slice(0, mostProblems)
    .map(({ severity, title }) => [words.severities[severity], title] as const);
  const more = problems.length - rows.length;
  return [{ title: words.problems, rows }, ...(more > 0 ? [words.moreProblems(more)] : [])];
}

import { customerLanguages } from '@florin/shared/languages.ts';
import { Temporal } from 'temporal-polyfill';

/** What the meaning of a day depends on. */
type Reader = {
  readonly today: Temporal.PlainDate;
  /** A locale of the business: some write the month first. */
  readonly locale: string;
};

/**
 * The day that a text may mean, as people write it in any language of the product: `28/11/2026`, `28.11.`, `2026-11-28`,
 * `28 Nov 2026`, `yesterday`, `Freitag`. Without a year it is the last such day. Undefined for any other text, and for a
 * day to come. `28.11` is an amount.
 */
export function dayTyped(typed: string, { today, locale }: Reader): Temporal.PlainDate | undefined {
  const text = plain(typed);
  const named = dayNamed(text, today);
  if (named) return named;
  const day = dateWritten(text, isMonthFirst(locale));
  if (!day) return undefined;
  const date = dateOf(day, today);
  return date && Temporal.PlainDate.compare(date, today) <= 0 ? date : undefined;
}

type Written = { readonly day: number; readonly month: number; readonly year: number | undefined };

function dateWritten(text: string, monthFirst: boolean): Written | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (isoYear) return { day: Number(isoDay), month: Number(isoMonth), year: Number(isoYear) };
  const [, one, other, year] =
    /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/.exec(text) ??
    /^(\d{1,2})[.-] ?(\d{1,2})[.-] ?(\d{4}|\d{2})$/.exec(text) ??
    /^(\d{1,2})\. ?(\d{1,2})\.$/.exec(text) ??
    [];
  if (one) {
    const [day, month] = monthFirst ? [Number(other), Number(one)] : [Number(one), Number(other)];
    return { day, month, year: yearOf(year) };
  }
  const [, dayFirst, monthAfter, yearAfter] =
    /^(\d{1,2})\.? (?:de )?(\p{L}+)\.?(?:,? (?:de )?(\d{4}))?$/u.exec(text) ?? [];
  const [, monthBefore, dayAfter, itsYear] = /^(\p{L}+)\.? (\d{1,2})(?:,? (\d{4}))?$/u.exec(text) ?? [];
  const month = monthNumbers().get(monthAfter ?? monthBefore ?? '');
  return month === undefined
    ? undefined
    : { day: Number(dayFirst ?? dayAfter), month, year: yearOf(yearAfter ?? itsYear) };
}

const yearOf = (text: string | undefined) =>
  text === undefined ? undefined : Number(text) + (text.length === 2 ? 2_000 : 0);

/** Undefined if there is no such date. */
function dateOf({ day, month, year }: Written, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  for (const its of year === undefined ? [today.year, today.year - 1] : [year]) {
    try {
      const date = Temporal.PlainDate.from({ year: its, month, day }, { overflow: 'reject' });
      if (year !== undefined || Temporal.PlainDate.compare(date, today) <= 0) return date;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

/** How far back days have a name: `today`, `yesterday`, the days of the week. */
const daysNamed = 7;

function dayNamed(text: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  if (/\d/.test(text)) return undefined;
  const days = Array.from({ length: daysNamed }, (_, back) => today.subtract({ days: back }));
  for (const language of customerLanguages) {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
    const named = days.find(({ year, month, day }, back) => {
      const names = [relative.format(-back, 'day'), weekday.format(Date.UTC(year, month - 1, day))];
      return names.some(name => plain(name) === text);
    });
    if (named) return named;
  }
  return undefined;
}

let months: ReadonlyMap<string, number> | undefined;
function monthNumbers(): ReadonlyMap<string, number> {
  months ??= new Map(
    customerLanguages.flatMap(language =>
      (['long', 'short'] as const).flatMap(month => {
        const named = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
        return Array.from({ length: 12 }, (_, index) => {
          const parts = named.formatToParts(Date.UTC(2_000, index, 1));
          const name = parts.find(({ type }) => type === 'month')?.value ?? '';
          return [plain(name).replace(/\.$/, ''), index + 1] as const;
        });
      }),
    ),
  );
  return months;
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { month: '2-digit', day: '2-digit' }).formatToParts(0);
  return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();
}

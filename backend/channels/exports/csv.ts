import { exponentOf } from '@florin/shared/money.ts';
import type { Column, Item } from './columns.ts';

/** The first line of a file. */
export function csvHeader(columns: readonly Column[]): string {
  return line(columns.map(({ name }) => name));
}

/** Writes records as lines: RFC 4180, with amounts in the unit of the record's currency, and times in a zone, with its offset. */
export function csvLines(columns: readonly Column[], timeZone: string): (item: Item) => string {
  const timeIn = timeWriter(timeZone);
  return item => {
    const currency = String(item.currency ?? (item.sale as Item | undefined)?.currency);
    return line(
      columns.map(({ valueIn, kind }) => {
        const value = valueIn(item);
        if (value === null || value === undefined) return '';
        if (kind === 'amount') return decimal(Number(value), currency);
        if (kind === 'time' && typeof value === 'string') return timeIn(value);
        return typeof value === 'string' ? withoutFormula(value) : JSON.stringify(value);
      }),
    );
  };
}

/** A spreadsheet runs text that begins with one of these, some also where they are written full-width. */
function withoutFormula(text: string): string {
  return /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/.test(text) ? `'${text}` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

function decimal(amountMinor: number, currency: string): string {
  const exponent = exponentOf(currency) ?? 2;
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  return exponent === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** ISO 8601 to the second, such as 2026-07-01T09:30:00+01:00. */
function timeWriter(timeZone: string): (timestamp: string) => string {
  const two = '2-digit';
  const clock = { hour: two, minute: two, second: two, hourCycle: 'h23', timeZoneName: 'longOffset' } as const;
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: two, day: two, ...clock });
  return timestamp => {
    const parts = Object.fromEntries(format.formatToParts(new Date(timestamp)).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second, timeZoneName = '' } = parts;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${timeZoneName.replace('GMT', '') || '+00:00'}`;
  };
}

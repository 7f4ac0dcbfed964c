import type { HourSample } from './hours.ts';
import type { DayVerdict } from './judge.ts';
import type { Sums } from './sums.ts';

const pounds = (minor: number) => (minor / 100).toFixed(2);
const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1);

const columns: readonly (readonly [title: string, width: number, of: (hour: HourSample) => string | number])[] = [
  ['until', 17, ({ clock }) => clock],
  ['sales', 7, ({ approved }) => approved],
  ['taken', 10, ({ approvedMinor }) => pounds(approvedMinor)],
  ['not paid', 9, ({ notApproved }) => notApproved],
  ['voids', 6, ({ voids }) => voids],
  ['refunds', 8, ({ refunds }) => refunds],
  ['away', 5, ({ turnedAway }) => turnedAway],
  ['on', 4, ({ on }) => on],
  ['offline', 8, ({ offline }) => offline],
  ['unsent', 7, ({ undelivered }) => undelivered],
  ['heap MB', 8, ({ heapBytes }) => megabytes(heapBytes)],
  ['files', 6, ({ files }) => files],
  ['timers', 7, ({ timers }) => timers],
];

const row = (cells: readonly (string | number)[]) =>
  cells.map((cell, index) => (cell === 0 ? '·' : String(cell)).padStart(columns[index]?.[1] ?? 0)).join('');

/** The titles of the hours’ lines. */
export const hourTitles = (): string => row(columns.map(([title]) => title));

/** An hour as a line. */
export const hourLine = (hour: HourSample): string => row(columns.map(([, , of]) => of(hour)));

/** The totals of the day: of each terminal and of the shop, on which everybody agrees if nothing is wrong. */
export function totalsTable({ shop, terminals }: Pick<DayVerdict, 'shop' | 'terminals'>): string {
  if (!shop) return '';
  const titles = ['', 'sales', 'taken', 'tips', 'in tips', 'voids', 'voided', 'refunds', 'refunded', 'net'];
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(index % 2 === 1 ? 9 : 11)))
      .join('');
  const of = (name: string, sums: Sums) =>
    line([
      name,
      sums.sales,
      pounds(sums.salesMinor),
      sums.tips,
      pounds(sums.tipsMinor),
      sums.voids,
      pounds(sums.voidsMinor),
      sums.refunds,
      pounds(sums.refundsMinor),
      pounds(sums.salesMinor - sums.voidsMinor - sums.refundsMinor),
    ]);
  return [line(titles), ...terminals.map(({ name, sums }) => of(name, sums)), of('The shop', shop)].join('\n');
}

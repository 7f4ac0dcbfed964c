import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import { isMatchingReference, type SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { ListedSale, UnchargedSale } from '../../ipc/view.ts';
import { businessDay } from '../staff/time.ts';

/**
 * One list by time, newest first, of records of the service and of sales that only this terminal knows. Of these only the ones
 * after `completeBackTo`, because earlier records were not loaded yet; null if there are none.
 */
export function listedSales(
  records: readonly SaleRecord[],
  uncharged: readonly UnchargedSale[],
  completeBackTo: Instant | null,
): ListedSale[] {
  const recorded = new Set(records.map(({ saleId }) => saleId));
  const left = uncharged.filter(
    ({ saleId, startedAt }) => !recorded.has(saleId) && (completeBackTo === null || startedAt >= completeBackTo),
  );
  const listed: ListedSale[] = [];
  for (const record of records) {
    const createdAt = Date.parse(record.createdAt);
    while (left[0] && left[0].startedAt >= createdAt) listed.push(...left.splice(0, 1));
    listed.push({ kind: 'recorded', ...record });
  }
  return [...listed, ...left];
}

type When = { readonly timeZone: string; readonly now: Instant };

/** Whether the service would have found this sale by what it took a text for. */
export function isFoundBy(sale: UnchargedSale, terms: readonly SearchTerm[], when: When): boolean {
  return terms.some(term => isMeantBy(sale, term, when));
}

function isMeantBy(sale: UnchargedSale, { field, value }: SearchTerm, when: When): boolean {
  switch (field) {
    case 'amount':
      return Number(value.replace('.', '')) === sale.amountMinor;
    case 'time':
      return isAbout(sale.startedAt, value, when);
    case 'day':
      return businessDay(sale.startedAt, when.timeZone) === value;
    case 'reference':
      return sale.reference !== null && isMatchingReference(sale.reference, value);
    case 'sale_id':
      return sale.saleId === value;
    // What only a payment has.
    case 'card_last_four':
    case 'invoice_number':
    case 'payment_id':
    case 'gateway_reference':
    case 'receipt':
      return false;
  }
}

const minuteMs = 60_000;
const minutesPerDay = 24 * 60;
/** The service's (`backend/money/payments/search-terms.ts`). */
const toleranceMinutes = 5;
const daysLookedThrough = 7;

/** To within five minutes of this time of day, today or on one of the six days before. */
function isAbout(startedAt: Instant, clockText: string, { timeZone, now }: When): boolean {
  const [hour = 0, minute = 0] = clockText.split(':').map(Number);
  const past = minuteOfDay(startedAt, timeZone) - (hour * 60 + minute);
  // Around midnight it may be of the day before or after.
  const off = ((past + minutesPerDay * 1.5) % minutesPerDay) - minutesPerDay / 2;
  if (off < -toleranceMinutes || off > toleranceMinutes) return false;
  const firstDay = businessDay(now - (daysLookedThrough - 1) * minutesPerDay * minuteMs, timeZone);
  return businessDay(startedAt - off * minuteMs, timeZone) >= firstDay;
}

function minuteOfDay(at: Instant, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    .format(at)
    .split(':');
  return Number(parts[0]) * 60 + Number(parts[1]);
}

import type { OverviewRecord } from '@florin/shared/contracts/api-v1/overview.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Temporal } from 'temporal-polyfill';
import type { Database } from '../../foundation/database/database.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { dateAt, dayOfDate, startOfDate, type ZonePeriod, zonePeriods } from '../settlements/settlement.ts';
import { movingEvents, totalsConsumer } from './consumer.ts';
import { type DayTotals, dayTotals, eventsAhead, lookedAhead, quarterHourMs, type TotalledPeriod } from './store.ts';

type OverviewDay = OverviewRecord['today'];
type Sums = Omit<OverviewDay['totals'][number], 'currency'>;

/** Reads what moved today and on the days before, in the business's time zone, from the totals. */
export function overviewService(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
}): (businessId: string, days: number) => Promise<OverviewRecord> {
  const { database, clock, businesses } = ports;

  async function isComplete(businessId: string): Promise<boolean> {
    const consumer = totalsConsumer.name;
    const found = await database.first(eventsAhead, { consumer, businessId, typesJson: JSON.stringify(movingEvents) });
    return found !== undefined && found.own === 0 && found.ahead < lookedAhead;
  }

  return async (businessId, days) => {
    const business = await businesses.find(businessId);
    if (!business) throw new Error(`business ${businessId} is missing`);
    const { timeZone, currency } = business;
    const today = dateAt(clock.now(), timeZone);
    const lastWeek = today.subtract({ days: 7 });
    const first = today.subtract({ days: Math.max(days - 1, 7) });
    const from = startOfDate(first, timeZone);
    const to = startOfDate(today.add({ days: 1 }), timeZone);
    // Read first: what is counted meanwhile is only more.
    const complete = await isComplete(businessId);
    const periods = zonePeriods(timeZone, from, to).map(inQuarterHours);
    const totals = await database.all(dayTotals, { businessId, periodsJson: JSON.stringify(periods) });
    const byDay = Map.groupBy(totals, ({ day }) => day);
    const dayOf = (date: Temporal.PlainDate) => overviewDay(date, byDay.get(dayOfDate(date)) ?? []);
    return {
      timeZone,
      currency,
      today: dayOf(today),
      sameDayLastWeek: dayOf(lastWeek),
      days: Array.from({ length: days }, (_, back) => dayOf(today.subtract({ days: back }))),
      isComplete: complete,
    };
  };
}

/** The clocks of every time zone change, and differ, by whole ones. */
function inQuarterHours({ from, to, offsetMs }: ZonePeriod): TotalledPeriod {
  return { from: from / quarterHourMs, to: to / quarterHourMs, offset: offsetMs / quarterHourMs };
}

function overviewDay(date: Temporal.PlainDate, rows: readonly DayTotals[]): OverviewDay {
  const rails = rows.map(({ rail, currency, ...sums }) => ({ rail, currency, ...sumsOf(sums) }));
  const byCurrency = Map.groupBy(rails, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, parts]) => ({ currency, ...parts.reduce(together, noSums) }));
  return { day: date.toString(), rails, totals };
}

function sumsOf(row: Omit<DayTotals, 'rail' | 'currency'>): Sums {
  const { takenMinor, voidedMinor, rejectedMinor, returnedMinor } = row;
  return {
    takenInCents: takenMinor,
    voidedInCents: voidedMinor,
    rejectedInCents: rejectedMinor,
    refundedInCents: returnedMinor,
    netInCents: takenMinor - voidedMinor - rejectedMinor - returnedMinor,
    paymentCount: row.takenCount,
    voidCount: row.voidedCount,
    rejectedCount: row.rejectedCount,
    refundCount: row.returnedCount,
    tipInCents: row.tipMinor,
    tipCount: row.tipCount,
  };
}

const noSums: Sums = {
  takenInCents: 0,
  voidedInCents: 0,
  rejectedInCents: 0,
  refundedInCents: 0,
  netInCents: 0,
  paymentCount: 0,
  voidCount: 0,
  rejectedCount: 0,
  refundCount: 0,
  tipInCents: 0,
  tipCount: 0,
};

function together(one: Sums, other: Sums): Sums {
  const names = Object.keys(noSums) as (keyof Sums)[];
  return Object.fromEntries(names.map(name => [name, one[name] + other[name]])) as Sums;
}

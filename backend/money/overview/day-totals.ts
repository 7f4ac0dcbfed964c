import type { DayTotals, OpenItems, RailTotals, ScopeTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';
import type { Database } from '../../foundation/database/database.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import { timestamp } from '../payments/payment.ts';
import { dateAt, startOfDate } from '../settlements/settlement.ts';
import { railOf } from './consumer.ts';
import { type MovedOfDay, movedBetween, type OpenOfDay, openBefore } from './day-totals-store.ts';

export type DayTotalsOf = (options: {
  readonly businessId: string;
  readonly terminalId: string;
  /** YYYY-MM-DD; undefined for today. */
  readonly date: string | undefined;
}) => Promise<DayTotals>;

/**
 * Adds up the movements of one day in the business's time zone, of a terminal and of the business. From the records and not
 * from `moneyTotals`: those do not have terminals and satoshis, and are a moment late.
 */
export function dayTotalsService(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
}): DayTotalsOf {
  const { database, clock, businesses } = ports;
  return async ({ businessId, terminalId, date: given }) => {
    const business = await businesses.find(businessId);
    if (!business) throw new Error(`business ${businessId} is missing`);
    const { timeZone } = business;
    const now = clock.now();
    const date = given === undefined ? dateAt(now, timeZone) : Temporal.PlainDate.from(given);
    const [from, to] = [startOfDate(date, timeZone), startOfDate(date.add({ days: 1 }), timeZone)];
    const [moved, open] = await Promise.all([
      database.all(movedBetween, { businessId, terminalId, from, to }),
      database.all(openBefore, { businessId, terminalId, to }),
    ]);
    return {
      date: date.toString(),
      timeZone,
      from: timestamp(from),
      to: timestamp(to),
      asOf: timestamp(now),
      terminal: scopeTotals(moved.filter(isHere), open.filter(isHere)),
      business: scopeTotals(moved, open),
    };
  };
}

const isHere = (row: Pick<MovedOfDay, 'isHere'>) => row.isHere === 1;

function scopeTotals(moved: readonly MovedOfDay[], open: readonly OpenOfDay[]): ScopeTotals {
  const byRail = Map.groupBy(moved, ({ method, currency }) => `${railOf[method]} ${currency}`);
  const byKind = Map.groupBy(open, ({ kind, currency }) => `${kind} ${currency}`);
  return {
    rails: [...byRail].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => railTotals(rows)),
    open: [...byKind.values()].map(openItems),
  };
}

function railTotals(rows: readonly MovedOfDay[]): RailTotals {
  const [first] = rows;
  if (!first) throw new Error('a rail without movements');
  const of = (effect: MovedOfDay['effect']) => sumOf(rows.filter(row => row.effect === effect));
  const [taken, voided, rejected, returned] = [of('taken'), of('voided'), of('rejected'), of('returned')];
  const sum = (of: (row: MovedOfDay) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    rail: railOf[first.method],
    currency: first.currency,
    takenInCents: taken.amountMinor,
    voidedInCents: voided.amountMinor,
    rejectedInCents: rejected.amountMinor,
    refundedInCents: returned.amountMinor,
    netInCents: taken.amountMinor - voided.amountMinor - rejected.amountMinor - returned.amountMinor,
    paymentCount: taken.count,
    voidCount: voided.count,
    rejectedCount: rejected.count,
    refundCount: returned.count,
    tipInCents: sum(({ tipMinor }) => tipMinor),
    tipCount: sum(({ tipCount }) => tipCount),
    takenSats: taken.amountSats,
    refundedSats: returned.amountSats,
  };
}

/** Of movements in one direction, as a positive amount. */
function sumOf(rows: readonly MovedOfDay[]) {
  return rows.reduce(
    (sum, row) => ({
      count: sum.count + row.count,
      amountMinor: sum.amountMinor + Math.abs(row.amountMinor),
      amountSats: sum.amountSats + Math.abs(row.amountSats),
    }),
    { count: 0, amountMinor: 0, amountSats: 0 },
  );
}

function openItems(rows: readonly OpenOfDay[]): OpenItems {
  const [first] = rows;
  if (!first) throw new Error('a kind of open items without one');
  const sum = (of: (row: OpenOfDay) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    kind: first.kind,
    currency: first.currency,
    count: sum(({ count }) => count),
    amountInCents: sum(({ amountMinor }) => amountMinor),
  };
}

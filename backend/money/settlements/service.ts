import type { Clock } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';
import { afterEveryId, type Database } from '../../foundation/database/database.ts';
import type { BusinessService } from '../../people/businesses/service.ts';
import type { Position, TransactionView } from '../transactions/store.ts';
import { linesOfSettlement } from '../transactions/store.ts';
import {
  awaitingDay,
  dateAt,
  dateOfDay,
  dayOfDate,
  type SettlementKey,
  type SettlementSums,
  spanOf,
  startOfDate,
  zonePeriods,
} from './settlement.ts';
import { settlementsOfBusiness } from './store.ts';

/** The clock and time zone that determine the settlement's wording. */
export type Local = { readonly now: number; readonly timeZone: string };

export type SettlementService = {
  local(businessId: string): Promise<Local>;
  /** Newest first, below `before`. */
  list(options: {
    readonly businessId: string;
    readonly local: Local;
    readonly currency: string | null;
    /** Days, both inclusive; default: from 90 days before `to`, up to today. */
    readonly from: string | null;
    readonly to: string | null;
    readonly before: SettlementKey | null;
    readonly limit: number;
  }): Promise<SettlementSums[]>;
  byKey(businessId: string, key: SettlementKey, local: Local): Promise<SettlementSums | undefined>;
  /** The settlement's movements, newest first, before `before`. */
  lines(options: {
    readonly businessId: string;
    readonly key: SettlementKey;
    readonly local: Local;
    readonly before: Position;
    readonly limit: number;
  }): Promise<TransactionView[]>;
};

const defaultDays = 90;
const daysAtOnce = 14;

/**
 * Computes settlements by the business's time zone. `local` is read once per request, so that all its results use the
 * same time.
 */
export function settlementService(ports: {
  database: Database;
  clock: Clock;
  businesses: Pick<BusinessService, 'find'>;
}): SettlementService {
  const { database, clock, businesses } = ports;
  return {
    async local(businessId) {
      const business = await businesses.find(businessId);
      if (!business) throw new Error(`business ${businessId} is missing`);
      return { now: clock.now(), timeZone: business.timeZone };
    },

    async list({ businessId, local, currency, from, to, before, limit }) {
      const today = dateAt(local.now, local.timeZone);
      const given = to === null ? today : Temporal.PlainDate.from(to);
      // Nothing settles in the future, so its time zone periods are not needed.
      const asked = Temporal.PlainDate.compare(given, today) > 0 ? today : given;
      const first = from === null ? asked.subtract({ days: defaultDays }) : Temporal.PlainDate.from(from);
      // Days after the page's start were returned already.
      const last = before && before.day < dayOfDate(asked) ? dateOfDay(before.day) : asked;
      const found: SettlementSums[] = [];
      let end = last;
      // Read the newest days first, then larger ranges: most pages fill long before the first day.
      for (let days = daysAtOnce; found.length < limit && Temporal.PlainDate.compare(end, first) >= 0; days *= 2) {
        const next = end.subtract({ days });
        const start = Temporal.PlainDate.compare(next, first) < 0 ? first : next.add({ days: 1 });
        const span = {
          from: startOfDate(start, local.timeZone),
          to: startOfDate(end.add({ days: 1 }), local.timeZone),
        };
        const isFirst = end === last;
        const page = await database.all(settlementsOfBusiness, {
          businessId,
          accountId: null,
          currency,
          ...span,
          withAwaiting: isFirst && to === null && (before === null || before.day === awaitingDay) ? 1 : 0,
          periodsJson: JSON.stringify(zonePeriods(local.timeZone, span.from, span.to)),
          beforeDay: before?.day ?? awaitingDay + 1,
          beforeAccount: before?.accountId ?? afterEveryId,
          beforeCurrency: before?.currency ?? afterEveryId,
          limit: limit - found.length,
        });
        found.push(...page);
        end = start.subtract({ days: 1 });
      }
      return found;
    },

    byKey(businessId, key, local) {
      const span = spanOf(key, local.timeZone);
      return database.first(settlementsOfBusiness, {
        businessId,
        accountId: key.accountId,
        currency: key.currency,
        from: span?.from ?? 0,
        to: span?.to ?? 0,
        withAwaiting: span ? 0 : 1,
        periodsJson: JSON.stringify(span ? zonePeriods(local.timeZone, span.from, span.to) : []),
        beforeDay: awaitingDay + 1,
        beforeAccount: afterEveryId,
        beforeCurrency: afterEveryId,
        limit: 1,
      });
    },

    lines({ businessId, key, local, before, limit }) {
      const span = spanOf(key, local.timeZone);
      return database.all(linesOfSettlement[span ? 'settled' : 'awaiting'], {
        businessId,
        accountId: key.accountId,
        currency: key.currency,
        from: span?.from ?? 0,
        to: span?.to ?? 0,
        beforeAt: before.at,
        beforeId: before.id,
        limit,
      });
    },
  };
}

import { type StaffExceptionRecord, staffExceptionKinds } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { Temporal } from 'temporal-polyfill';
import type { Database } from '../../foundation/database/database.ts';
import { type ChecksOfStaff, checksByStaff } from '../audit/store.ts';
import { businessById } from '../businesses/store.ts';

type Kind = (typeof staffExceptionKinds)[number];

const fewest = 5;
const timesOthers = 3;

/** What stands out in the checks of one person, compared with those of the others. */
const rules: Readonly<Record<Kind, (checks: ChecksOfStaff, others: readonly ChecksOfStaff[]) => boolean>> = {
  locked_out: ({ lockedOutCount }) => lockedOutCount > 0,
  wrong_passwords: ({ wrongPasswordCount }) => wrongPasswordCount >= fewest,
  without_permission: ({ withoutPermissionCount }) => withoutPermissionCount > 0,
  over_limit: ({ overLimitCount }) => overLimitCount > 0,
  more_refunds_than_others: isFarMore('refundCount'),
  more_voids_than_others: isFarMore('voidCount'),
};

/** Two others are the fewest that say what is usual. */
function isFarMore(name: 'refundCount' | 'voidCount') {
  return ({ [name]: count }: ChecksOfStaff, others: readonly ChecksOfStaff[]): boolean => {
    if (others.length < 2 || count < fewest) return false;
    const sorted = others.map(other => other[name]).toSorted((a, b) => a - b);
    const [low = 0, high = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
    return count > (timesOthers * (low + high)) / 2;
  };
}

/** Everyone with a check, with what stands out; those with the most of that first, then those who refunded most. */
export function staffExceptions(checks: readonly ChecksOfStaff[]): StaffExceptionRecord[] {
  const records = checks.map(own => {
    const others = checks.filter(other => other !== own);
    const { staffId: id, name, staffNumber, refundedMinor: refundedInCents, ...counts } = own;
    const exceptions = staffExceptionKinds.filter(kind => rules[kind](own, others));
    return { staff: { id, name, staffNumber }, exceptions, refundedInCents, ...counts };
  });
  return records.toSorted((a, b) => b.exceptions.length - a.exceptions.length || b.refundedInCents - a.refundedInCents);
}

/** Reads them for the last days, today included, in the time zone of the business. */
export function staffExceptionReader({ database, clock }: { database: Database; clock: Clock }) {
  return async (businessId: string, days: number): Promise<{ since: Instant; items: StaffExceptionRecord[] }> => {
    const business = await database.first(businessById, { id: businessId });
    const today = Temporal.Instant.fromEpochMilliseconds(clock.now())
      .toZonedDateTimeISO(business?.timeZone ?? 'UTC')
      .startOfDay();
    const since = today.subtract({ days: days - 1 }).epochMilliseconds;
    return { since, items: staffExceptions(await database.all(checksByStaff, { businessId, since })) };
  };
}

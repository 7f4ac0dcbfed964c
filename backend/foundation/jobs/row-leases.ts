import { type LeaseRenewal, leasesJson } from '../database/claim.ts';
import type { Database } from '../database/database.ts';
import type { Leases, LeasesOn } from './leases.ts';

/** The leases of this process on rows of a table. `during` holds the row's id only, and not the row. */
export function rowLeases(
  { database, leases }: { readonly database: Database; readonly leases: Leases },
  what: string,
  renewal: LeaseRenewal,
): LeasesOn<{ readonly id: string }> {
  const onRows = leases.on<{ readonly id: string }>({
    what,
    async renew(held, until) {
      const rows = held.map(({ work: { id }, until: leaseUntil }) => ({ id, leaseUntil }));
      const renewed = await database.write(tx => tx.all(renewal, { leasesJson: leasesJson(rows), until }));
      const kept = new Set(renewed.map(({ id }) => id));
      return held.filter(({ work }) => kept.has(work.id));
    },
  });
  return { ...onRows, during: ({ id }, until, body) => onRows.during({ id }, until, body) };
}

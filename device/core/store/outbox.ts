import { type OutboxEntry, outboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type SqliteConnection from 'better-sqlite3';
import type { guardOf, LockoutState } from './guard.ts';

/** An entry that is no longer delivered, with the reason; kept for support. */
export type RefusedEntry = { readonly entryId: string; readonly refusal: string };

/** Why the terminal itself sets an entry aside. */
export const unreadable = 'cannot be read';
export const changed = 'was changed on this terminal';

/** A condition on the column `businessId`. */
export const ofThisBusiness = `businessId = (SELECT json_extract(value, '$.business.id') FROM settings WHERE name = 'configuration')`;

/** Entries recorded for the service, each with the business it belongs to. */
export function outboxOf(db: SqliteConnection.Database, guard: ReturnType<typeof guardOf>) {
  const waiting = `refusal IS NULL AND ${ofThisBusiness}`;
  const read = db.prepare<[number], { position: number; entryId: string; entry: string }>(
    `SELECT position, entryId, entry FROM outbox WHERE ${waiting} ORDER BY position LIMIT ?`,
  );
  const size = db.prepare<[], { size: number }>(`SELECT count(*) AS size FROM outbox WHERE ${waiting}`);
  const elsewhere = db.prepare<[], { size: number }>(
    `SELECT count(*) AS size FROM outbox WHERE refusal IS NULL AND NOT ${ofThisBusiness}`,
  );
  const refused = db.prepare<[], RefusedEntry>(
    'SELECT entryId, refusal FROM outbox WHERE refusal IS NOT NULL ORDER BY position',
  );
  const present = db.prepare<[string], unknown>('SELECT 1 FROM outbox WHERE entryId = ?');
  const newest = db.prepare<[string], { sequence: number | null }>(
    `SELECT max(json_extract(iif(json_valid(entry), entry, '{}'), '$.sequence')) AS sequence FROM outbox
     WHERE json_extract(iif(json_valid(entry), entry, '{}'), '$.terminalId') = ?`,
  );
  const uncounted = db.prepare<[], { staffId: string }>(
    'SELECT DISTINCT staffId FROM outbox WHERE staffId IS NOT NULL',
  );
  const insert = db.prepare<[string, string | null, string]>(
    `INSERT INTO outbox (entryId, staffId, entry, businessId)
     SELECT ?, ?, ?, json_extract(value, '$.business.id') FROM settings WHERE name = 'configuration'`,
  );
  const drop = db.prepare<[string]>('DELETE FROM outbox WHERE entryId = ?');
  const refuse = db.prepare<[string, string]>('UPDATE outbox SET refusal = ? WHERE entryId = ?');

  const add = (entry: OutboxEntry) => {
    const staffId = entry.kind === 'staff_check' ? entry.staffId : null;
    if (insert.run(entry.entryId, staffId, JSON.stringify(entry)).changes !== 1)
      throw new Error('an entry was recorded before the terminal was enrolled');
  };
  const noLongerMissed = (undelivered: readonly string[], ids: readonly string[]) =>
    undelivered.filter(entryId => !ids.includes(entryId));

  return {
    outbox(limit: number): OutboxEntry[] {
      return read.all(limit).flatMap(row => parse(row.entry) ?? []);
    },
    outboxSize: () => size.get()?.size ?? 0,
    outboxElsewhere: () => elsewhere.get()?.size ?? 0,
    refusedEntries: () => refused.all(),
    staffWithEntries: () => uncounted.all().map(({ staffId }) => staffId),
    /** Entries that disappeared without having been delivered; each is reported once. */
    takeMissingEntries: db.transaction(() => {
      const { undelivered } = guard.read();
      const missing = undelivered.filter(entryId => present.get(entryId) === undefined);
      if (missing.length > 0)
        guard.change(before => ({ ...before, undelivered: noLongerMissed(before.undelivered, missing) }));
      return missing;
    }),
    setAside: db.transaction((limit: number, refusalOf: (entry: OutboxEntry | undefined) => string | undefined) =>
      read.all(limit).flatMap(({ entryId, entry }) => {
        const refusal = refusalOf(parse(entry));
        if (refusal === undefined) return [];
        refuse.run(refusal, entryId);
        return [entryId];
      }),
    ),
    acknowledge: db.transaction((acknowledged: { taken: readonly string[]; refused: readonly RefusedEntry[] }) => {
      const { taken, refused } = acknowledged;
      if (taken.length > 0)
        guard.change(before => ({ ...before, undelivered: noLongerMissed(before.undelivered, taken) }));
      for (const entryId of taken) drop.run(entryId);
      for (const { entryId, refusal } of refused) refuse.run(refusal, entryId);
    }),
    /** The sequence of the newest entry recorded under this enrolment; 0 before the first. */
    lastOutboxSequence: (terminalId: string) =>
      Math.max(guard.read().sequences[terminalId] ?? 0, newest.get(terminalId)?.sequence ?? 0),
    recordEntry: db.transaction(({ entry, lockout }: { entry: OutboxEntry; lockout: LockoutState | null }) => {
      add(entry);
      const staffId = entry.kind === 'staff_check' ? entry.staffId : undefined;
      guard.change(before => ({
        ...before,
        sequences: { ...before.sequences, [entry.terminalId]: entry.sequence },
        undelivered: [...before.undelivered, entry.entryId],
        lockouts: staffId !== undefined && lockout ? { ...before.lockouts, [staffId]: lockout } : before.lockouts,
      }));
    }),
  };
}

function parse(text: string): OutboxEntry | undefined {
  try {
    return outboxEntry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

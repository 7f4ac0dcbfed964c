import { type OutboxEntry, outboxEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type SqliteConnection from 'better-sqlite3';

/** An entry that is not delivered any more, with the reason; kept for whoever looks into it. */
export type RefusedEntry = { readonly entryId: string; readonly refusal: string };

/** What is wrong with an entry that the terminal itself sets aside. */
export const unreadable = 'cannot be read';

/** A condition on the column `businessId`. */
export const ofThisBusiness = `businessId = (SELECT json_extract(value, '$.business.id') FROM settings WHERE name = 'configuration')`;

/** Entries recorded for the service, each under the business it belongs to. */
export function outboxOf(db: SqliteConnection.Database) {
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
  const uncounted = db.prepare<[], { staffId: string }>(
    'SELECT DISTINCT staffId FROM outbox WHERE staffId IS NOT NULL',
  );
  const add = db.prepare<[string, string | null, string]>(
    `INSERT INTO outbox (entryId, staffId, entry, businessId)
     SELECT ?, ?, ?, json_extract(value, '$.business.id') FROM settings WHERE name = 'configuration'`,
  );
  const drop = db.prepare<[string]>('DELETE FROM outbox WHERE entryId = ?');
  const refuse = db.prepare<[string, string]>('UPDATE outbox SET refusal = ? WHERE entryId = ?');

  return {
    add(entry: OutboxEntry): void {
      const staffId = entry.kind === 'staff_check' ? entry.staffId : null;
      if (add.run(entry.entryId, staffId, JSON.stringify(entry)).changes !== 1)
        throw new Error('an entry was recorded before the terminal was enrolled');
    },
    methods: {
      outbox(limit: number): OutboxEntry[] {
        return read.all(limit).flatMap(row => parse(row.entry) ?? []);
      },
      outboxSize: () => size.get()?.size ?? 0,
      outboxElsewhere: () => elsewhere.get()?.size ?? 0,
      refusedEntries: () => refused.all(),
      staffWithEntries: () => uncounted.all().map(({ staffId }) => staffId),
      setUnreadableAside: db.transaction((limit: number) => {
        const bad = read.all(limit).filter(row => parse(row.entry) === undefined);
        for (const { entryId } of bad) refuse.run(unreadable, entryId);
        return bad.map(({ entryId }) => entryId);
      }),
      acknowledge: db.transaction((acknowledged: { taken: readonly string[]; refused: readonly RefusedEntry[] }) => {
        for (const entryId of acknowledged.taken) drop.run(entryId);
        for (const { entryId, refusal } of acknowledged.refused) refuse.run(refusal, entryId);
      }),
    },
  };
}

function parse(text: string): OutboxEntry | undefined {
  try {
    return outboxEntry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

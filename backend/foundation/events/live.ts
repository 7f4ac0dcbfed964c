import type { DomainEvent } from './event.ts';
import type { EventFeed } from './feed.ts';
import { following, positionIn } from './following.ts';

type Numbered = { readonly sequence: number };

/**
 * Streams a record as it changes until it is final; an interrupted stream resumes after the last event received. The
 * first message is the current record, and the generator returns the final one.
 */
export function liveRecords<Record extends Numbered, Change>(options: {
  readonly events: Pick<EventFeed, 'follow' | 'at'>;
  /** The record that an event carries; undefined for events about something else. */
  readonly recordIn: (event: DomainEvent) => Record | undefined;
  readonly read: (id: string) => Promise<Record | undefined>;
  readonly isFinal: (record: Record) => boolean;
  /** The message for the current record, or for the event at this position. */
  readonly changeOf: (record: Record, position: number | null) => Promise<Change> | Change;
}) {
  const { events, recordIn, read, isFinal, changeOf } = options;
  /** What an event carries is one object for all streams that follow it: it is serialised once. */
  const made = new WeakMap<Record, Promise<Change> | Change>();
  const sharedChangeOf = (record: Record, position: number) => {
    const change = made.get(record) ?? changeOf(record, position);
    made.set(record, change);
    return change;
  };

  return async function* follow(
    { id, businessId }: { readonly id: string; readonly businessId: string },
    { lastEventId, over }: { readonly lastEventId: string | null; readonly over: AbortSignal },
  ): AsyncGenerator<Change, Change | undefined> {
    const recordOf = (event: DomainEvent) => (event.subjectId === id ? recordIn(event) : undefined);
    const given = positionIn(lastEventId);
    const lastSeen = given === undefined ? undefined : await events.at(businessId, given);
    const seen = lastSeen && recordOf(lastSeen);
    // An event of another record, or a deleted one, does not tell what the caller already has, so the stream starts
    // from the current record.
    const after = seen && given;
    const changes = following({ events, businessId, after, over }, event => {
      const record = recordOf(event);
      return record && { record, position: event.position };
    });
    try {
      await changes.started;
      // Read once nothing can be missed any more: what follows is newer than this, or is left out.
      let current = await read(id);
      if (!current) return undefined;
      const last = current.sequence;
      if (after === undefined) yield changeOf(current, null);
      // Not kept for as long as the stream is open.
      if (!isFinal(current)) current = undefined;
      let sequence = seen?.sequence ?? last;
      while (!current || sequence < last) {
        const next = await (current ? changes.nextNow() : changes.next());
        if (!next) {
          // The last event cannot be read yet, or no longer, so the current record is sent: every stream must receive
          // the final state.
          return current && changeOf(current, after ?? null);
        }
        if (next.record.sequence <= sequence) continue;
        sequence = next.record.sequence;
        const change = sharedChangeOf(next.record, next.position);
        if (isFinal(next.record)) return change;
        yield change;
      }
      return undefined;
    } finally {
      changes.stop();
    }
  };
}

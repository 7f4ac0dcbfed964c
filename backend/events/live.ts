import type { DomainEvent } from './event.ts';
import type { EventFeed } from './feed.ts';
import { following } from './following.ts';

type Numbered = { readonly sequence: number };

/** A record as it is now, or as of the event at this position. */
export type LiveRecord<Record> = { readonly record: Record; readonly position: number | null };

/**
 * A record as it changes, until it is final; a stream that broke goes on after the last event it saw. The first is the record
 * as it is, for whoever begins.
 */
export async function* liveRecord<Record extends Numbered>(options: {
  readonly events: Pick<EventFeed, 'follow' | 'at'>;
  readonly businessId: string;
  readonly lastEventId: string | null;
  readonly over: AbortSignal;
  /** The record that an event carries; undefined for events about something else. */
  readonly find: (event: DomainEvent) => Record | undefined;
  readonly read: () => Promise<Record | undefined>;
  readonly isFinal: (record: Record) => boolean;
}): AsyncGenerator<LiveRecord<Record>> {
  const { events, businessId, lastEventId, over, find, read, isFinal } = options;
  const given = lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
  const lastSeen = given === undefined ? undefined : await events.at(businessId, given);
  const seen = lastSeen && find(lastSeen);
  // An event of something else, or one that is gone, says nothing of what the caller knows: they begin anew.
  const after = seen && given;
  const changes = following({ events, businessId, after, over }, event => {
    const record = find(event);
    return record && { record, position: event.position };
  });
  try {
    await changes.started;
    // Read once nothing can be missed any more: what follows is newer than this, or is left out.
    const current = await read();
    if (!current) return;
    if (after === undefined) yield { record: current, position: null };
    let sequence = seen?.sequence ?? current.sequence;
    while (!isFinal(current) || sequence < current.sequence) {
      const next = await (isFinal(current) ? changes.nextNow() : changes.next());
      if (!next) {
        // Its last event cannot be read yet, or no longer: nobody is left without the end.
        if (isFinal(current)) yield { record: current, position: after ?? null };
        return;
      }
      if (next.record.sequence <= sequence) continue;
      sequence = next.record.sequence;
      yield next;
      if (isFinal(next.record)) return;
    }
  } finally {
    changes.stop();
  }
}

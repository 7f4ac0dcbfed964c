import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import { type DomainEvent, eventOf, type StoredEvent } from './event.ts';
import { eventsAfter, eventsOfBusinessAfter, lastPosition } from './store.ts';

export type Following = {
  readonly businessId: string;
  /** The position of the last event that was seen, for a stream that resumes; from now on unless given. */
  readonly after?: number | undefined;
};

export type EventFeed = {
  /**
   * Calls `listener` with every event of the business, in order, none left out and none twice, as soon as it is committed.
   * Resolves once everything after `after` has been delivered.
   */
  follow(what: Following, listener: (event: DomainEvent) => void): Promise<Cancel>;
  /** The event of the business at this position; undefined if there is none that this version can read, or it is too old to resume from. */
  at(businessId: string, position: number): Promise<DomainEvent | undefined>;
  isFollowed(businessId: string): boolean;
  /** Delivers what is new to the followers. */
  advance(): Promise<void>;
};

type Follower = Following & { readonly listener: (event: DomainEvent) => void; readonly caughtUp: () => void };

const batch = 500;
/** The most events of all businesses that are read for one stream that resumes, because streams need no key. */
const defaultMostReplayed = 10_000;
/** How many streams catch up before the others are sent what is new, so that many of them do not delay live events. */
const joinedPerPass = 20;

/** The live streams of this process, which share one reader of the table. */
export function eventFeed(options: {
  database: Database;
  timers: Timers;
  log: Log;
  pollMs: number;
  maxReplayed?: number;
}): EventFeed {
  const { database, timers, log, pollMs, maxReplayed = defaultMostReplayed } = options;
  const followers = new Set<Follower>();
  /** Those of them that have not caught up yet. */
  const joining = new Set<Follower>();
  /** Followers that have caught up have received everything up to here. */
  let tail: number | undefined;
  let underWay: Promise<void> | undefined;
  let isWanted = false;
  let poll: Cancel | undefined;

  /** Undefined for one that only a newer version, running beside this one or before it, can read. */
  function read(row: StoredEvent): DomainEvent | undefined {
    try {
      return eventOf(row);
    } catch (error) {
      const { id: eventId, businessId, type } = row;
      log.error({ eventId, businessId, type, err: error }, 'streams pass over an event that this version cannot read');
      return undefined;
    }
  }

  function deliver(follower: Follower, event: DomainEvent | undefined): void {
    if (event === undefined) return;
    try {
      follower.listener(event);
    } catch (error) {
      log.error({ eventId: event.id, businessId: event.businessId, err: error }, 'a listener failed at an event');
    }
  }

  async function deliverNew(from: number): Promise<number> {
    for (let position = from; ; ) {
      const rows = await database.all(eventsAfter, { after: position, limit: batch });
      for (const row of rows) {
        position = row.position;
        const listening = [...followers].filter(one => !joining.has(one) && one.businessId === row.businessId);
        if (listening.length === 0) continue;
        const event = read(row);
        for (const follower of listening) deliver(follower, event);
      }
      if (rows.length < batch) return position;
    }
  }

  async function catchUp(follower: Follower, upTo: number): Promise<void> {
    const { businessId } = follower;
    for (let after = follower.after ?? upTo; after < upTo && joining.has(follower); ) {
      const rows = await database.all(eventsOfBusinessAfter, { businessId, after, upTo, limit: batch });
      for (const row of rows) deliver(follower, read(row));
      after = rows.length < batch ? upTo : (rows.at(-1)?.position ?? upTo);
    }
    joining.delete(follower);
    follower.caughtUp();
  }

  async function run(): Promise<void> {
    try {
      while (isWanted && followers.size > 0) {
        isWanted = false;
        tail = tail === undefined ? await newest() : await deliverNew(tail);
        for (const follower of joining.values().take(joinedPerPass)) await catchUp(follower, tail);
        isWanted ||= joining.size > 0;
      }
    } finally {
      underWay = undefined;
    }
  }

  async function newest(): Promise<number> {
    return (await database.first(lastPosition, {}))?.position ?? 0;
  }

  /** One run at a time; a call during one makes it look again before it ends. */
  function advance(): Promise<void> {
    if (followers.size === 0) return Promise.resolve();
    isWanted = true;
    underWay ??= run();
    return underWay;
  }

  /** For events of processes that did not notify this process. */
  function pollAgain(): void {
    poll = timers.after(pollMs, () => {
      advance()
        .catch((error: unknown) => log.error({ err: error }, 'events could not be read; the next poll tries again'))
        .finally(() => followers.size > 0 && pollAgain());
    });
  }

  function leave(follower: Follower): void {
    followers.delete(follower);
    joining.delete(follower);
    if (followers.size > 0) return;
    poll?.();
    tail = undefined;
  }

  return {
    advance,
    isFollowed: businessId => followers.values().some(follower => follower.businessId === businessId),
    async at(businessId, position) {
      if (position < (tail ?? (await newest())) - maxReplayed) return undefined;
      const range = { businessId, after: position - 1, upTo: position, limit: 1 };
      const row = await database.first(eventsOfBusinessAfter, range);
      return row && read(row);
    },
    async follow(what, listener) {
      const caughtUp = Promise.withResolvers<void>();
      const follower: Follower = { ...what, listener, caughtUp: caughtUp.resolve };
      followers.add(follower);
      joining.add(follower);
      if (followers.size === 1) pollAgain();
      try {
        // The run may go on for as long as others join.
        await Promise.race([caughtUp.promise, advance()]);
      } catch (error) {
        leave(follower);
        throw error;
      }
      return () => leave(follower);
    },
  };
}

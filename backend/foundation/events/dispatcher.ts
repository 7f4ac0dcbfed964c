import type { Cancel, ContextLog, Timers } from '@florin/shared/ports.ts';
import { continueTrace } from '../context.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { EventType } from './catalogue.ts';
import { type DomainEvent, eventOf, type StoredEvent } from './event.ts';
import type { EventFeed } from './feed.ts';
import type { Notifications } from './notifications.ts';
import type { EventRow } from './rows.ts';
import {
  advanceConsumer,
  consumerForUpdate,
  eventsAfter,
  firstUnplaced,
  insertConsumer,
  lockOrdering,
  moveConsumer,
  notifyOthers,
  placeCommitted,
} from './store.ts';

/**
 * Receives every event, in order, despite crashes. What it writes in the transaction it is given is written
 * once; any other effect of it may happen again.
 */
export type EventConsumer = {
  /** The key of its stored position: never changed once released. */
  readonly name: string;
  /** Frequent events that it does nothing about: they are passed over without a transaction. */
  readonly ignores?: (event: EventRow) => boolean;
  /** Nobody waits for what it writes: on SQLite it handles the events of 20 ms in one commit instead of one for each. */
  readonly mayWait?: true;
  handle(tx: Transaction, event: DomainEvent): Promise<void>;
};

/** Ignores every event of other types. */
export function allBut(...types: readonly EventType[]): (event: Pick<EventRow, 'type'>) => boolean {
  const handled = new Set<string>(types);
  return ({ type }) => !handled.has(type);
}

export type EventDispatcher = {
  /**
   * Events were committed: delivers them at once, or on SQLite a little later if only this one was and no follower or
   * consumer of this process wants it at once.
   */
  wake(event?: EventRow): void;
  /** Delivers pending events; returns how many the consumers handled. */
  dispatch(): Promise<number>;
  /** Starts no further work and resolves once the running work has ended. */
  stop(): Promise<void>;
};

type ReadEvents = (after: number) => Promise<readonly StoredEvent[]>;

/** Consumers that have come equally far, as most have, read the same events together. */
function readingOnce(read: ReadEvents): ReadEvents {
  const found = new Map<number, Promise<readonly StoredEvent[]>>();
  return after => {
    const rows = found.get(after) ?? read(after);
    found.set(after, rows);
    return rows;
  };
}

const eventChannel = 'florin_events';
const batch = 100;
/** Events that nobody wants at once are delivered together: one by one they would add a third flushed commit to each refund. */
const togetherAfterMs = 20;

/**
 * Delivers committed events to this process's live streams and, where it runs them, to the consumers. A consumer that
 * fails is retried from its saved position and does not stop the others.
 */
export function eventDispatcher(options: {
  database: Database;
  notifications: Notifications;
  timers: Timers;
  log: ContextLog;
  feed: Pick<EventFeed, 'advance' | 'isFollowed'>;
  consumers: () => readonly EventConsumer[];
  /** Whether this process runs the consumers; the API role does not. */
  runsConsumers: boolean;
}): EventDispatcher {
  const { database, timers, log, feed } = options;
  /** How far each consumer had come when this process last looked: nothing new is found by reading alone. */
  const positions = new Map<string, number>();
  /** Consumers that have passed over events since their place was saved. */
  const unsaved = new Set<string>();
  let known: readonly EventConsumer[] | undefined;
  let isWanted = false;
  let underWay: Promise<void> | undefined;
  let waiting: Cancel | undefined;
  let isStopped = false;

  /** Once all modules are composed. */
  function consumers(): readonly EventConsumer[] {
    known ??= options.consumers();
    return known;
  }

  async function place(): Promise<void> {
    if (database.dialect !== 'postgres' || !(await database.first(firstUnplaced, {}))) return;
    await database.write(async tx => {
      await tx.all(lockOrdering, {});
      if ((await tx.run(placeCommitted, {})) > 0) await tx.all(notifyOthers, { channel: eventChannel });
    });
  }

  /** Gives a consumer its next events and saves, in the same transaction, how far it has come. */
  async function deliverNext({ name, ignores, handle }: EventConsumer): Promise<number> {
    const { count, position } = await database.write(async tx => {
      const saved = (await tx.first(consumerForUpdate, { name }))?.position ?? 0;
      const before = Math.max(saved, positions.get(name) ?? 0);
      const rows = await tx.all(eventsAfter, { after: before, limit: batch });
      for (const row of rows) if (!ignores?.(row)) await continueTrace(row.trace, () => handle(tx, eventOf(row)));
      const position = rows.at(-1)?.position ?? before;
      await tx.run(moveConsumer, { name, position });
      return { count: rows.length, position };
    });
    positions.set(name, position);
    unsaved.delete(name);
    return count;
  }

  /** Skips events that the consumer ignores; returns whether any is left to handle. */
  async function passOver({ name, ignores }: EventConsumer, from: number, read: ReadEvents): Promise<boolean> {
    for (let after = from; ; ) {
      const rows = await read(after);
      const wanted = rows.findIndex(row => !ignores?.(row));
      const last = wanted === -1 ? rows.at(-1) : rows[wanted - 1];
      if (last) {
        after = last.position;
        positions.set(name, after);
        unsaved.add(name);
      }
      if (wanted !== -1 || rows.length < batch) return wanted !== -1;
    }
  }

  /** Another process may have come further. */
  async function savePassedOver(): Promise<void> {
    // Only those of now: while events come, each save would find the next one.
    const names = [...unsaved];
    unsaved.clear();
    const save = (name: string) =>
      database.write(tx => tx.run(advanceConsumer, { name, position: positions.get(name) ?? 0 }));
    await Promise.all(names.map(save));
  }

  async function runConsumer(consumer: EventConsumer, read: ReadEvents): Promise<number> {
    const after = positions.get(consumer.name);
    // In a separate transaction, so that the metrics show a consumer that fails at its first event.
    if (after === undefined) await database.write(tx => tx.run(insertConsumer, { name: consumer.name, position: 0 }));
    else if (!(await passOver(consumer, after, read))) return 0;
    for (let handled = 0; ; ) {
      const count = await deliverNext(consumer);
      handled += count;
      if (count < batch) return handled;
    }
  }

  async function runConsumers(): Promise<number> {
    if (!options.runsConsumers) return 0;
    const read = readingOnce(after => database.all(eventsAfter, { after, limit: batch }));
    // At once: they share a commit where commits are shared, and none waits for another.
    const handled = await Promise.all(
      consumers().map(async consumer => {
        try {
          return await runConsumer(consumer, read);
        } catch (error) {
          log.error(
            { consumer: consumer.name, err: error },
            'an event consumer failed; it is retried at the next poll',
          );
          return 0;
        }
      }),
    );
    return handled.reduce((sum, count) => sum + count, 0);
  }

  async function deliver(): Promise<number> {
    await place();
    const [handled] = await Promise.all([runConsumers(), feed.advance()]);
    return handled;
  }

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        await deliver();
      } catch (error) {
        log.error({ err: error }, 'events could not be delivered; the next poll tries again');
      }
    }
    underWay = undefined;
  }

  function start(): void {
    waiting?.();
    waiting = undefined;
    isWanted = true;
    underWay ??= log.apart({ job: 'events' }, run);
  }

  function isAwaited(event: EventRow): boolean {
    // On PostgreSQL this process also gives the event its position and notifies the other processes.
    if (database.dialect === 'postgres') return true;
    return (
      feed.isFollowed(event.businessId) || consumers().some(({ mayWait, ignores }) => !mayWait && !ignores?.(event))
    );
  }

  function wake(event?: EventRow): void {
    if (isStopped) return;
    if (event === undefined || isAwaited(event)) start();
    else waiting ??= timers.after(togetherAfterMs, start);
  }
  options.notifications.listen(eventChannel, () => wake());

  return {
    wake,
    async dispatch() {
      while (underWay) await underWay;
      const handled = await deliver();
      await savePassedOver();
      return handled;
    },
    async stop() {
      isStopped = true;
      isWanted = false;
      waiting?.();
      await underWay;
    },
  };
}

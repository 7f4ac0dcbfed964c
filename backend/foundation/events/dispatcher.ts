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
} & (
  | { handle(tx: Transaction, event: DomainEvent): Promise<void> }
  | {
      /**
       * For what nobody waits for: the events of up to 20 ms, on PostgreSQL those that were committed meanwhile, with as few
       * statements as for one. In order, outside their traces.
       */
      handleTogether(tx: Transaction, events: readonly DomainEvent[]): Promise<void>;
    }
);

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

type ReadEvents = (after: number) => Promise<readonly PlacedEvent[]>;
/** An event, and how its consumers see it: parsed once for all of them. */
type PlacedEvent = { readonly row: StoredEvent; readonly parsed: () => DomainEvent };

function placedEvent(row: StoredEvent): PlacedEvent {
  let event: DomainEvent | undefined;
  return { row, parsed: () => (event ??= eventOf(row)) };
}

/** Consumers that have come equally far, as most have, read the same events together. */
function readingOnce(read: (after: number) => Promise<readonly StoredEvent[]>): ReadEvents {
  const found = new Map<number, Promise<readonly PlacedEvent[]>>();
  return after => {
    const events = found.get(after) ?? read(after).then(rows => rows.map(placedEvent));
    found.set(after, events);
    return events;
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

  /**
   * Gives a consumer events that follow each other, and saves in the same transaction how far it has come. Those that another
   * process handled meanwhile are left out. Returns how many events it came further.
   */
  async function deliver(consumer: EventConsumer, events: readonly PlacedEvent[]): Promise<number> {
    const { name, ignores } = consumer;
    const { count, position } = await database.write(async tx => {
      const saved = (await tx.first(consumerForUpdate, { name }))?.position ?? 0;
      const due = events.filter(({ row }) => row.position > saved);
      const wanted = due.filter(({ row }) => !ignores?.(row));
      if ('handle' in consumer)
        for (const { row, parsed } of wanted) await continueTrace(row.trace, () => consumer.handle(tx, parsed()));
      else if (wanted.length > 0)
        await consumer.handleTogether(
          tx,
          wanted.map(({ parsed }) => parsed()),
        );
      const position = due.at(-1)?.row.position ?? saved;
      await tx.run(moveConsumer, { name, position });
      return { count: due.length, position };
    });
    positions.set(name, position);
    unsaved.delete(name);
    return count;
  }

  /** Passes over events that the consumer ignores, without a transaction. */
  function passOver({ name }: EventConsumer, events: readonly PlacedEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    positions.set(name, last.row.position);
    unsaved.add(name);
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
    const { name, ignores } = consumer;
    if (!positions.has(name)) positions.set(name, await savedPosition(name));
    for (let handled = 0; ; ) {
      const events = await read(positions.get(name) ?? 0);
      if (events.some(({ row }) => !ignores?.(row))) handled += await deliver(consumer, events);
      else passOver(consumer, events);
      if (events.length < batch) return handled;
    }
  }

  /** In a separate transaction, so that the metrics show a consumer that fails at its first event. */
  async function savedPosition(name: string): Promise<number> {
    return database.write(async tx => {
      await tx.run(insertConsumer, { name, position: 0 });
      return (await tx.first(consumerForUpdate, { name }))?.position ?? 0;
    });
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

  async function deliverAll(): Promise<number> {
    await place();
    const [handled] = await Promise.all([runConsumers(), feed.advance()]);
    return handled;
  }

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        await deliverAll();
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
      feed.isFollowed(event.businessId) ||
      consumers().some(consumer => 'handle' in consumer && !consumer.ignores?.(event))
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
      const handled = await deliverAll();
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

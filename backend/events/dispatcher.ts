import type { Log } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../database/database.ts';
import { type DomainEvent, eventOf } from './event.ts';
import type { EventFeed } from './feed.ts';
import type { Notifications } from './notifications.ts';
import {
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
 * Receives every event, in order, however often processes die. What it writes in the transaction it is given is written
 * once; any other effect of it may happen again.
 */
export type EventConsumer = {
  /** Under which its progress is kept: never changed once released. */
  readonly name: string;
  handle(tx: Transaction, event: DomainEvent): Promise<void>;
};

export type EventDispatcher = {
  /** An announced event was committed: delivers it soon. */
  wake(): void;
  /** Delivers what is not delivered yet; returns how many events the consumers handled. */
  dispatch(): Promise<number>;
  /** Starts nothing new and resolves once what was running has ended. */
  stop(): Promise<void>;
};

const eventChannel = 'florin_events';
const batch = 100;

export function eventDispatcher(options: {
  database: Database;
  notifications: Notifications;
  log: Log;
  feed: Pick<EventFeed, 'advance'>;
  consumers: () => readonly EventConsumer[];
  /** Whether this process runs the consumers; those of the API's own do not. */
  runsConsumers: boolean;
}): EventDispatcher {
  const { database, log, feed } = options;
  /** How far each consumer had come when this process last looked: nothing new is found by reading alone. */
  const positions = new Map<string, number>();
  let isWanted = false;
  let underWay: Promise<void> | undefined;
  let isStopped = false;

  async function place(): Promise<void> {
    if (database.dialect !== 'postgres' || !(await database.first(firstUnplaced, {}))) return;
    await database.write(async tx => {
      await tx.all(lockOrdering, {});
      if ((await tx.run(placeCommitted, {})) > 0) await tx.all(notifyOthers, { channel: eventChannel });
    });
  }

  /** Gives a consumer its next events and saves, in the same transaction, how far it has come. */
  async function deliverNext({ name, handle }: EventConsumer): Promise<number> {
    const { count, position } = await database.write(async tx => {
      const before = (await tx.first(consumerForUpdate, { name }))?.position ?? 0;
      const rows = await tx.all(eventsAfter, { after: before, limit: batch });
      for (const row of rows) await handle(tx, eventOf(row));
      const position = rows.at(-1)?.position ?? before;
      await tx.run(moveConsumer, { name, position });
      return { count: rows.length, position };
    });
    positions.set(name, position);
    return count;
  }

  async function runConsumer(consumer: EventConsumer): Promise<number> {
    const after = positions.get(consumer.name);
    // In a transaction of its own, so that the metrics show a consumer that fails at its first event.
    if (after === undefined) await database.write(tx => tx.run(insertConsumer, { name: consumer.name, position: 0 }));
    else if (!(await database.first(eventsAfter, { after, limit: 1 }))) return 0;
    for (let handled = 0; ; ) {
      const count = await deliverNext(consumer);
      handled += count;
      if (count < batch) return handled;
    }
  }

  async function runConsumers(): Promise<number> {
    if (!options.runsConsumers) return 0;
    let handled = 0;
    for (const consumer of options.consumers()) {
      try {
        handled += await runConsumer(consumer);
      } catch (error) {
        log.error({ consumer: consumer.name, err: error }, 'a consumer of events failed; the next poll tries again');
      }
    }
    return handled;
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

  function wake(): void {
    if (isStopped) return;
    isWanted = true;
    underWay ??= run();
  }
  options.notifications.listen(eventChannel, wake);

  return {
    wake,
    async dispatch() {
      while (underWay) await underWay;
      return deliver();
    },
    async stop() {
      isStopped = true;
      isWanted = false;
      await underWay;
    },
  };
}

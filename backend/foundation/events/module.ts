import type { Clock, ContextLog, Ids, Timers } from '@florin/shared/ports.ts';
import type { Database } from '../database/database.ts';
import { pruningJob } from '../jobs/pruning.ts';
import type { Module } from '../module.ts';
import { announcer, type Events } from './announce.ts';
import { type EventConsumer, eventDispatcher } from './dispatcher.ts';
import { type EventFeed, eventFeed } from './feed.ts';
import type { Notifications } from './notifications.ts';
import { deleteHandledEvents } from './store.ts';

export type EventPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly log: ContextLog;
  readonly notifications: Notifications;
  readonly consumers: () => readonly EventConsumer[];
  readonly runsConsumers: boolean;
  /** How often events are looked for that no commit of this process and no notification announced. */
  readonly pollMs: number;
  readonly retentionMs: number;
};

/**
 * Events of all modules. It gives them `announce` and live streams, delivers to the consumers, and deletes old events
 * that every consumer has handled.
 */
export function eventsModule(ports: EventPorts): Module<Events & Pick<EventFeed, 'follow' | 'at'>> {
  const feed = eventFeed(ports);
  const dispatcher = eventDispatcher({ ...ports, feed });
  return {
    service: {
      ...announcer({ ...ports, wake: dispatcher.wake }),
      follow: feed.follow,
      at: feed.at,
    },
    routes: [],
    jobs: [
      { name: 'events', everyMs: ports.pollMs, run: dispatcher.dispatch },
      pruningJob('event-pruning', ports, (tx, options) => tx.run(deleteHandledEvents, options)),
    ],
    stop: dispatcher.stop,
  };
}

import type { Cancel } from '@florin/shared/ports.ts';
import type { DomainEvent } from './event.ts';
import type { EventFeed } from './feed.ts';

export type Following<Found> = {
  /** Resolves once nothing announced from now on can be missed. */
  readonly started: Promise<void>;
  /** The oldest one that was not taken yet; waits for it, one caller at a time. Undefined once it is over. */
  next(): Promise<Found | undefined>;
  /** As `next`, without waiting. */
  nextNow(): Found | undefined;
  stop(): void;
};

/** The position that a client names as the last event it saw; undefined if it names none. */
export function positionIn(lastEventId: string | null): number | undefined {
  return lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
}

/** Some events of a business, one at a time, for a stream that sends them as fast as its caller reads. */
export function following<Found>(
  options: {
    readonly events: Pick<EventFeed, 'follow'>;
    readonly businessId: string;
    readonly after?: number | undefined;
    readonly over: AbortSignal;
  },
  find: (event: DomainEvent) => Found | undefined,
): Following<Found> {
  const { events, businessId, after, over } = options;
  const found: Found[] = [];
  let take: ((one: Found | undefined) => void) | undefined;
  let leave: Cancel | undefined;
  let isOver = over.aborted;

  function give(one: Found | undefined): boolean {
    const waiting = take;
    take = undefined;
    waiting?.(one);
    return waiting !== undefined;
  }
  function stop(): void {
    isOver = true;
    leave?.();
    give(undefined);
  }
  over.addEventListener('abort', stop);
  const started = events
    .follow({ businessId, after }, event => {
      const one = find(event);
      if (one !== undefined && !give(one)) found.push(one);
    })
    .then(cancel => {
      leave = cancel;
      if (isOver) cancel();
    });
  return {
    started,
    next() {
      if (isOver) return Promise.resolve(undefined);
      if (found.length > 0) return Promise.resolve(found.shift());
      return new Promise(resolve => {
        take = resolve;
      });
    },
    nextNow: () => found.shift(),
    stop,
  };
}

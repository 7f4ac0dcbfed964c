import type { Cancel } from '@florin/shared/ports.ts';
import type { DomainEvent } from './event.ts';
import type { EventFeed } from './feed.ts';

export type Following<Found> = {
  /** Resolves once nothing announced from now on can be missed. */
  readonly started: Promise<void>;
  /** The oldest one that was not taken yet; waits for it. Undefined once it is over. */
  next(): Promise<Found | undefined>;
  /** The same, of those that are there already. */
  nextNow(): Found | undefined;
  stop(): void;
};

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
  let wake: (() => void) | undefined;
  let leave: Cancel | undefined;
  let isStopped = false;
  const ended = () => wake?.();
  over.addEventListener('abort', ended);
  const started = events
    .follow({ businessId, after }, event => {
      const one = find(event);
      if (one === undefined) return;
      found.push(one);
      wake?.();
    })
    .then(cancel => {
      leave = cancel;
      if (isStopped) cancel();
    });
  return {
    started,
    async next() {
      await started;
      while (found.length === 0 && !over.aborted && !isStopped) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
        wake = undefined;
      }
      return over.aborted || isStopped ? undefined : found.shift();
    },
    nextNow: () => found.shift(),
    stop() {
      isStopped = true;
      over.removeEventListener('abort', ended);
      leave?.();
      wake?.();
    },
  };
}

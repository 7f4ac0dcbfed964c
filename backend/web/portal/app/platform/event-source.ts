import { timers } from './time.ts';

type Follower = {
  /** The names of the events. */
  readonly events: readonly string[];
  readonly onEvent: (name: string, data: unknown) => void;
  /** The connection is gone; it is opened again. */
  readonly onLost: () => void;
};

type Shared = { readonly name: string; readonly data: unknown } | 'lost';

/** How soon a stream that was refused is asked for again. */
const againAfterMs = 30_000;

/**
 * Follows an event stream. The tabs of a browser share one connection: the one that holds the lock has it and tells the
 * others, and another one takes over once it is closed.
 */
export function followInBrowser(url: string, follower: Follower): () => void {
  const channel = new BroadcastChannel(url);
  const over = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<Shared>) => tell(follower, data);
  const share = (message: Shared) => {
    channel.postMessage(message);
    tell(follower, message);
  };
  navigator.locks
    .request(url, { signal: over.signal }, () => keepOpen(url, follower.events, share, over.signal))
    .catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
  return () => {
    over.abort();
    channel.close();
  };
}

function tell({ onEvent, onLost }: Follower, message: Shared): void {
  if (message === 'lost') onLost();
  else onEvent(message.name, message.data);
}

/** Holds the connection until it is over, and opens it again where the browser does not. */
function keepOpen(
  url: string,
  events: readonly string[],
  share: (message: Shared) => void,
  over: AbortSignal,
): Promise<void> {
  return new Promise(resolve => {
    let source: EventSource;
    let cancel: (() => void) | undefined;
    const open = () => {
      source = new EventSource(url);
      for (const name of events)
        source.addEventListener(name, event => {
          // The connection itself has an event of that name too, which carries nothing.
          if (event instanceof MessageEvent) share({ name, data: JSON.parse(String(event.data)) as unknown });
        });
      source.onerror = () => {
        share('lost');
        if (source.readyState === EventSource.CLOSED) cancel = timers.after(againAfterMs, open);
      };
    };
    open();
    over.addEventListener('abort', () => {
      cancel?.();
      source.close();
      resolve();
    });
  });
}

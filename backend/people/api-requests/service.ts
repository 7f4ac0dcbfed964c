import type { Cancel, ContextLog, Timers } from '@florin/shared/ports.ts';
import type { ApiCall } from '../../foundation/api-call.ts';
import type { Database } from '../../foundation/database/database.ts';
import { rowsJsonOf } from '../../foundation/database/statements.ts';
import { recorded } from './recorded.ts';
import {
  apiRequestById,
  apiRequestPage,
  insertApiRequests,
  lastLookedThrough,
  type NamedApiRequest,
  type PageArgs,
} from './store.ts';

/** How long a call waits for others to be written with it. */
const waitMs = 1_000;
/** Rows of one insert: few enough that no payment waits long for it. */
const batch = 200;
/** Calls that wait in memory while the database takes none. */
const mostWaiting = 10_000;

export type ApiRequestOptions = {
  readonly database: Database;
  readonly timers: Timers;
  readonly log: ContextLog;
  /** Called when calls are missing from the log, with their number. */
  readonly onRequestsUnrecorded?: ((count: number) => void) | undefined;
};

export type ApiRequestService = {
  /** Notes a call; it is written a moment later, with others. */
  record(call: ApiCall): void;
  /**
   * Newest first, before the id `before`. `readTo` is the last one that was looked at, where older ones were not looked
   * through yet.
   */
  list(options: PageArgs & { readonly requestId: string | null }): Promise<{
    readonly calls: readonly NamedApiRequest[];
    readonly readTo: Pick<NamedApiRequest, 'id' | 'createdAt'> | null;
  }>;
  /** Writes what waits. */
  stop(): Promise<void>;
};

/**
 * The calls that software made with API keys. No request waits for its record: calls are collected in memory, and written
 * together about once a second. A process that is killed loses those of its last second.
 */
export function apiRequestService({
  database,
  timers,
  log,
  onRequestsUnrecorded,
}: ApiRequestOptions): ApiRequestService {
  let waiting: ApiCall[] = [];
  let cancel: Cancel | undefined;
  let writing = Promise.resolve();

  function writeSoon(): void {
    // Apart from the request that happens to be the first.
    cancel ??= log.apart({ job: 'request-log' }, () => timers.after(waitMs, writeNow));
  }

  function writeNow(): void {
    writing = writing.then(writeWaiting);
  }

  async function writeWaiting(): Promise<void> {
    cancel?.();
    cancel = undefined;
    while (waiting.length > 0) {
      const calls = waiting.splice(0, batch);
      try {
        const rows = rowsJsonOf('apiRequests', calls.map(recorded));
        await database.write(tx => tx.run(insertApiRequests, rows));
      } catch (error) {
        log.warn({ err: error }, 'the request log could not be written; trying again');
        waiting = [...calls, ...waiting];
        dropOldest();
        return writeSoon();
      }
    }
  }

  function dropOldest(): void {
    const tooMany = waiting.length - mostWaiting;
    if (tooMany <= 0) return;
    waiting.splice(0, tooMany);
    onRequestsUnrecorded?.(tooMany);
  }

  /** The call with this id, if it is one of those that the other filters let through. */
  async function callById(id: string, { businessId, outcome, apiKeyId, method, path }: PageArgs) {
    const call = await database.first(apiRequestById, { businessId, id });
    if (!call || (path !== null && !call.path.startsWith(path))) return [];
    const isWanted = (wanted: string | null, value: string) => wanted === null || wanted === value;
    const { outcome: ended } = call;
    return isWanted(outcome, ended) && isWanted(apiKeyId, call.apiKeyId) && isWanted(method, call.method) ? [call] : [];
  }

  return {
    record(call) {
      waiting.push(call);
      dropOldest();
      writeSoon();
    },
    async list({ requestId, ...args }) {
      if (requestId !== null) return { calls: await callById(requestId, args), readTo: null };
      const source = args.outcome === null || args.outcome === 'ok' ? 'all' : 'unsuccessful';
      const calls = await database.all(apiRequestPage[source], args);
      const isFull = calls.length >= args.limit;
      return { calls, readTo: isFull ? null : ((await database.first(lastLookedThrough[source], args)) ?? null) };
    },
    async stop() {
      writeNow();
      await writing;
      cancel?.();
    },
  };
}

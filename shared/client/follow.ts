import type { CheckoutRecord } from '@florin/shared/contracts/api-v1/checkouts.ts';
import type { TerminalSaleRecord } from '@florin/shared/contracts/terminal-sales.ts';
import { type Timers, wait } from '@florin/shared/ports.ts';
import { type Done, FlorinError, type NotDone } from './answer.ts';
import type { CallOptions } from './call.ts';
import type { FlorinClient, KioskClient } from './client.ts';
import { platform } from './platform/platform.ts';
import { isFinal } from './status.ts';
import type { StreamEvent, StreamOptions } from './stream.ts';

export type FollowOptions = {
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
};

type Followed = { readonly status: string; readonly sequence: number };
type Source<Of> = {
  /** Reads the current state of the record. */
  readonly read: (options: CallOptions) => Promise<Done<{ readonly body: Of }> | NotDone>;
  /** Streams its changes, if the API has a stream for it. */
  readonly stream?: (options: StreamOptions) => AsyncIterator<StreamEvent<string, Of>>;
};

/**
 * How often the record is read without a stream, and with one: reading also with a stream means that no change is lost
 * if the stream fails.
 */
const pollMs = { withoutStream: 1_000, withStream: 30_000 };

/**
 * Each state of a record, from now to its last, none older than the one before. While the service is unreachable it
 * keeps trying. @throws FlorinError if the service refuses, because there is no such record or the key has no access
 */
async function* followRecord<Of extends Followed>(
  { read, stream }: Source<Of>,
  { signal, timers = platform.timers }: FollowOptions = {},
): AsyncGenerator<Of, void, void> {
  const left = new AbortController();
  const over = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
  let isLive = false;
  let pause = new AbortController();
  const changes = stream?.({
    signal: over,
    onConnection(live) {
      isLive = live;
      // Reads at once what changed while the stream was disconnected.
      if (!live) pause.abort();
    },
  });
  const nextChange = () => {
    const change = changes?.next().then(({ value }) => (value as StreamEvent<string, Of> | undefined)?.data);
    // It may be refused before it is awaited, and Node.js ends a program whose rejection nobody handles.
    change?.catch(() => undefined);
    return change;
  };
  let next = nextChange();
  let sequence = 0;
  try {
    let record = await ask(read, over);
    while (!over.aborted) {
      if (record && record.sequence > sequence) {
        ({ sequence } = record);
        yield record;
        if (isFinal(record.status)) return;
      }
      pause = new AbortController();
      const paused = wait(timers, isLive ? pollMs.withStream : pollMs.withoutStream, pause.signal).then(
        () => undefined,
      );
      record = await Promise.race([paused, ...(next ? [next] : [])]);
      pause.abort();
      if (record) next = nextChange();
      else record = await ask(read, over);
    }
  } finally {
    left.abort();
  }
}

/** The current state of the record; undefined if the service does not respond. */
async function ask<Of>(read: Source<Of>['read'], signal: AbortSignal): Promise<Of | undefined> {
  const answer = await read({ signal, maxAttempts: 1 });
  if (answer.ok) return answer.body;
  if (answer.outcome === 'refused' && answer.status !== 429) throw new FlorinError(answer);
  return undefined;
}

/** A sale on a terminal, with each of its changes until it has ended. */
export function followSale(
  client: FlorinClient | KioskClient,
  saleId: string,
  options?: FollowOptions,
): AsyncGenerator<TerminalSaleRecord, void, void> {
  const input = { params: { saleId } };
  if (!('followKioskSale' in client))
    return followRecord({ read: call => client.getTerminalSale(input, call) }, options);
  return followRecord(
    { read: call => client.getKioskSale(input, call), stream: call => client.followKioskSale(input, call) },
    options,
  );
}

/** A hosted checkout, with each of its changes until it has ended. */
export function followCheckout(
  client: FlorinClient,
  checkoutId: string,
  options?: FollowOptions,
): AsyncGenerator<CheckoutRecord, void, void> {
  return followRecord(
    {
      read: call => client.getCheckout({ params: { id: checkoutId } }, call),
      stream: call => client.followCheckout({ query: { checkoutId } }, call),
    },
    options,
  );
}

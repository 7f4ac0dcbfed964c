import { type Clock, type Instant, type Log, type Timers, wait } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { InvoiceCursor, SettledInvoice } from '../nodes/node.ts';
import type { Nodes } from './polling.ts';
import type { Receipts } from './receipts.ts';
import { followOf, invoiceByHash, nodesAwaited, pollOpenInvoicesNow, saveFollow } from './store.ts';

const minPauseMs = 1_000;
const maxPauseMs = 60_000;
/** A stream that was open for as long as this may end: nodes, and proxies before them, close idle streams. */
const longEnoughMs = 60_000;

/**
 * Follows the nodes that have open invoices, one stream each. Several processes may follow the same node: a payment is
 * recorded once. The cursor is saved with the payment, so that a broken stream resumes after it.
 */
export function invoiceFollower(options: {
  database: Database;
  clock: Clock;
  timers: Timers;
  log: Log;
  nodes: Nodes;
  receipts: Receipts;
}) {
  const { database, clock, timers, log, nodes, receipts } = options;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();

  async function takeSettled(backendId: string, invoice: SettledInvoice, cursor: InvoiceCursor) {
    await database.write(async tx => {
      const { paymentHash } = invoice;
      const known = await tx.first(invoiceByHash, { backendId, paymentHash });
      if (known) await receipts.take(tx, known.id, { settled: invoice });
      await tx.run(saveFollow, { backendId, cursor });
    });
  }

  /** Follows until the stream ends; returns whether it was open. */
  async function followOnce(backendId: string): Promise<boolean> {
    const node = await nodes.ofBackend(backendId);
    let openedAt: Instant | undefined;
    const end = await node.followInvoices({
      after: (await database.first(followOf, { backendId }))?.cursor ?? null,
      signal: stopping.signal,
      onOpen() {
        openedAt = clock.now();
        database
          .write(tx => tx.run(pollOpenInvoicesNow, { backendId, now: clock.now() }))
          .catch((error: unknown) =>
            log.error({ backendId, err: error }, 'could not schedule open invoices for polling'),
          );
      },
      onSettled: (invoice, cursor) => takeSettled(backendId, invoice, cursor),
    });
    if (end.kind === 'aborted') return true;
    const { cause } = end;
    const isConnection = cause === 'timeout' || cause === 'connection_lost';
    if (isConnection && openedAt !== undefined && clock.now() - openedAt >= longEnoughMs)
      log.info({ backendId, cause }, 'the stream of a bitcoin node ended; it is opened again');
    else log.warn({ backendId, cause }, 'a bitcoin node ended its stream');
    return openedAt !== undefined;
  }

  async function isAwaited(backendId: string): Promise<boolean> {
    const awaited = await database.all(nodesAwaited, {});
    return awaited.some(one => one.backendId === backendId);
  }

  async function follow(backendId: string): Promise<void> {
    let pauseMs = minPauseMs;
    try {
      do {
        const wasOpen = await followOnce(backendId);
        pauseMs = wasOpen ? minPauseMs : Math.min(2 * pauseMs, maxPauseMs);
        await wait(timers, pauseMs, stopping.signal);
      } while (!stopping.signal.aborted && (await isAwaited(backendId)));
    } catch (error) {
      log.error({ backendId, err: error }, 'could not follow a bitcoin node; retrying');
    } finally {
      running.delete(backendId);
    }
  }

  return {
    /** Starts following each node with open invoices that is not followed yet. */
    async begin(): Promise<number> {
      const awaited = await database.all(nodesAwaited, {});
      for (const { backendId } of awaited)
        if (!running.has(backendId) && !stopping.signal.aborted) running.set(backendId, follow(backendId));
      return 0;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

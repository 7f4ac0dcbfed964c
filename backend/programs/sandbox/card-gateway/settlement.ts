import type { Cancel, Clock, Instant, Timers } from '@florin/shared/ports.ts';
import { codes } from './codes.ts';
import type { State, Store, TransactionRow } from './store.ts';
import { settlementOf } from './test-data.ts';
import { threeDSecureExpiresAfterMs } from './three-d-secure.ts';

export type SettlementStage = 'tender' | 'complete' | 'all';
/** How many transactions changed; `acceptedRefunds` is part of `accepted`. */
export type SettlementRun = { tendered: number; accepted: number; rejected: number; acceptedRefunds: number };
export type SettlementOptions = {
  /** Settles only this transaction. An accepted one can then still be rejected. */
  readonly xref?: string | undefined;
  /** Overrides the outcome of the test amount. */
  readonly outcome?: 'accepted' | 'rejected' | undefined;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Hands captured transactions to the bank (`tender`), decides them (`complete`), or both. */
export function settle(
  options: { store: Store; clock: Clock },
  stage: SettlementStage = 'all',
  { xref, outcome }: SettlementOptions = {},
): SettlementRun {
  const { store, clock } = options;
  const inState = (...states: State[]) =>
    states.flatMap(state => store.inState(state)).filter(row => xref === undefined || row.xref === xref);
  return store.transaction(() => {
    const now = clock.now();
    const move = (row: TransactionRow, state: State) => store.update(row.xref, { state, changedAt: now });
    const run: SettlementRun = { tendered: 0, accepted: 0, rejected: 0, acceptedRefunds: 0 };
    if (stage !== 'complete') {
      for (const row of inState('received')) {
        if (now - row.createdAt > threeDSecureExpiresAfterMs) expire(store, row, now);
      }
      for (const row of inState('approved')) {
        const due = row.captureDelayDays > 0 && now >= row.createdAt + row.captureDelayDays * dayMs;
        if (due) store.update(row.xref, { state: 'captured', receivedMinor: row.approvedMinor, changedAt: now });
      }
      for (const row of inState('captured')) {
        move(row, 'tendered');
        run.tendered += 1;
      }
    }
    if (stage !== 'tender') {
      const answered =
        xref !== undefined && outcome === 'rejected' ? inState('tendered', 'accepted') : inState('tendered');
      for (const row of answered) {
        const ends = outcome ?? outcomeOf(row);
        move(row, ends);
        run[ends] += 1;
        if (ends === 'accepted' && row.action !== 'SALE') run.acceptedRefunds += 1;
      }
    }
    return run;
  });
}

/** Ends a sale whose customer never returned from the bank's page. */
function expire(store: Store, row: TransactionRow, now: Instant): void {
  store.update(row.xref, {
    state: 'finished',
    responseCode: codes.expired,
    responseMessage: '3DS has expired',
    changedAt: now,
  });
  store.removeSteps(row.xref);
}

/** Refunds and card-present sales always settle; online sales follow their test amount. */
function outcomeOf(row: TransactionRow): 'accepted' | 'rejected' {
  return row.action === 'SALE' && row.channel === 'online' ? settlementOf(row.testAmountMinor) : 'accepted';
}

/** Runs `run` every day at this UTC hour. */
export function dailyAt(options: { hourUtc: number; clock: Clock; timers: Timers; run: () => void }): Cancel {
  let cancel: Cancel = () => undefined;
  function schedule(): void {
    const now = options.clock.now();
    const today = now - (now % dayMs) + options.hourUtc * 60 * 60 * 1000;
    const next = today > now ? today : today + dayMs;
    cancel = options.timers.after(next - now, () => {
      options.run();
      schedule();
    });
  }
  schedule();
  return () => cancel();
}

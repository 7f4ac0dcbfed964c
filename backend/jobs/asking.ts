import type { Instant } from '@florin/shared/ports.ts';

/** How an outcome that is not known yet is asked after. Money operations are never sent again: only asked about. */
export type AskingSettings = {
  /** How long the process that sent an operation has it to itself; longer than the gateway adapter's own timeout. */
  readonly leaseMs: number;
  /** Waits before each question; the last one repeats. */
  readonly intervalsMs: readonly number[];
  /**
   * From when after sending "the gateway knows no such operation" is believed. Until then the request may still be on its
   * way: gateways have been seen to book one two minutes after it was sent, and a process may have been paused between
   * saving the intent and sending it (it looks at its lease first, which is far shorter than this).
   */
  readonly notFoundIsFinalAfterMs: number;
  /** How many are claimed at a time. */
  readonly batch: number;
};

export const defaultAsking: AskingSettings = {
  leaseMs: 60_000,
  intervalsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 120_000, 300_000],
  notFoundIsFinalAfterMs: 10 * 60_000,
  batch: 25,
};

export type Asked = { readonly askedCount: number; readonly sentAt: Instant };

/** When to ask next. Never past the moment at which "not found" becomes an answer, so that nothing is held for longer. */
export function nextAskAt(asked: Asked, now: Instant, settings: AskingSettings): Instant {
  const intervals = settings.intervalsMs;
  const intervalMs = intervals[Math.min(asked.askedCount, intervals.length - 1)] ?? 0;
  const finalAt = asked.sentAt + settings.notFoundIsFinalAfterMs;
  return now < finalAt ? Math.min(now + intervalMs, finalAt) : now + intervalMs;
}

/** Whether "not found", answered to a question put at `askedAt`, means that the operation never arrived. */
export function notFoundIsFinal(asked: Asked, askedAt: Instant, settings: AskingSettings): boolean {
  return askedAt >= asked.sentAt + settings.notFoundIsFinalAfterMs;
}

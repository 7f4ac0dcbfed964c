import type { Instant } from '@florin/shared/ports.ts';

/** How unknown outcomes are polled. Money operations are never sent again, only looked up. */
export type PollingSettings = {
  /** The delay before each poll; the last one repeats. */
  readonly intervalsMs: readonly number[];
  /**
   * The polling interval once "not found" would have been final: the gateway reports no outcome, and a manual decision
   * may be required.
   */
  readonly lateIntervalMs: number;
  /**
   * How much polling makes "not found" final. Until then the request may still be in transit: gateways have been seen
   * to book one two minutes after it was sent, and a process may have been paused between saving the attempt and
   * sending it (it sends only within the lease it saved, which is far shorter than this).
   */
  readonly notFoundIsFinalAfterMs: number;
  /** After how much polling a person may decide an outcome on evidence. */
  readonly evidenceAfterMs: number;
  /**
   * The delay after an approval known only by its reply before the gateway is asked to confirm it, unless it confirms
   * it earlier.
   */
  readonly confirmAfterMs: number;
  /** How many lookups may go unanswered before an approval is no longer checked. */
  readonly maxConfirmationLookups: number;
  /** How long a customer may take at their bank's check; the gateway forgets it after half an hour. */
  readonly customerMayTakeMs: number;
  /** How many are claimed at a time. */
  readonly batch: number;
};

export const defaultPolling: PollingSettings = {
  intervalsMs: [2_000, 5_000, 10_000, 20_000, 40_000, 60_000],
  lateIntervalMs: 300_000,
  notFoundIsFinalAfterMs: 10 * 60_000,
  evidenceAfterMs: 10 * 60_000,
  confirmAfterMs: 60 * 60_000,
  maxConfirmationLookups: 24,
  customerMayTakeMs: 15 * 60_000,
  batch: 25,
};

/** What a row keeps of its polls. `pollCount` counts the poll under way, too. */
export type Polled = {
  readonly pollCount: number;
  readonly polledAt: Instant | null;
  readonly polledForMs: number;
  readonly sentAt: Instant | null;
  readonly createdAt: Instant;
};

/** How much a wait may last longer than planned and still count in full: jobs are late, and clocks of processes differ. */
const slackMs = 30_000;

/**
 * For how long an operation has been polled for, with the poll made at `now`. Of each wait no more counts than was planned
 * for it: a clock that jumps forward makes the next poll due, and ends nothing early.
 */
function polledForMs(polled: Polled, now: Instant, settings: PollingSettings): number {
  const waitedMs = now - (polled.polledAt ?? polled.sentAt ?? polled.createdAt);
  // The first wait is for the sender's lease.
  const plannedMs = polled.polledAt === null ? 0 : intervalMs(polled, polled.pollCount - 1, settings);
  return polled.polledForMs + Math.max(0, Math.min(waitedMs, plannedMs + slackMs));
}

/** The columns with the time of the next poll, after one made at `now`. */
export function afterPoll(polled: Polled, now: Instant, settings: PollingSettings) {
  const forMs = polledForMs(polled, now, settings);
  const nextMs = intervalMs({ ...polled, polledForMs: forMs }, polled.pollCount, settings);
  return { nextPollAt: now + nextMs, polledAt: now, polledForMs: forMs };
}

/** Never past the moment at which "not found" becomes an answer, so that nothing is held for longer. */
function intervalMs({ polledForMs: forMs }: Polled, count: number, settings: PollingSettings): number {
  const { intervalsMs, lateIntervalMs, notFoundIsFinalAfterMs } = settings;
  const leftMs = notFoundIsFinalAfterMs - forMs;
  if (leftMs <= 0) return lateIntervalMs;
  return Math.min(intervalsMs[Math.min(count, intervalsMs.length - 1)] ?? 0, leftMs);
}

/** Whether "not found", answered to a poll made at `now`, means that the operation never arrived. */
export function notFoundIsFinal(polled: Polled, now: Instant, settings: PollingSettings): boolean {
  return polledForMs(polled, now, settings) >= settings.notFoundIsFinalAfterMs;
}

/**
 * From when a person's evidence is accepted; undefined where it is already. The time that a person was given once
 * (`evidenceFrom`) holds, also where polls come late.
 */
export function evidenceAcceptedAt(
  polled: Polled & { readonly evidenceFrom: Instant | null },
  now: Instant,
  settings: PollingSettings,
): Instant | undefined {
  const leftMs = settings.evidenceAfterMs - polled.polledForMs;
  const from = polled.evidenceFrom ?? now + leftMs;
  return leftMs <= 0 || from <= now ? undefined : from;
}

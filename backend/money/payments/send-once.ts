import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { NotSent, Unknown } from '../../gateways/gateway.ts';

/** A stored payment or refund whose one request is about to be sent. */
type StoredAttempt = {
  /** From when on recovery may look it up, and conclude that nothing was sent. */
  readonly nextPollAt: Instant | null;
};

/**
 * Sends the one request that a stored attempt ever sends. An exception of the adapter is an unknown outcome, because the
 * request may have left. `subject` names the attempt in the log.
 */
export async function sendOnce<Outcome>(
  { nextPollAt }: StoredAttempt,
  call: () => Promise<Outcome>,
  {
    clock,
    log,
    subject,
  }: { readonly clock: Clock; readonly log: Log; readonly subject: Readonly<Record<string, string>> },
): Promise<Outcome | NotSent | Unknown> {
  // A process that was paused after it saved the attempt must not act on it: recovery may have concluded that nothing was sent.
  if (nextPollAt === null || clock.now() >= nextPollAt) return { kind: 'notSent', cause: 'lease_expired' };
  try {
    return await call();
  } catch (error) {
    log.error({ ...subject, err: error }, 'the gateway adapter failed');
    return { kind: 'unknown', cause: 'gateway_error' };
  }
}

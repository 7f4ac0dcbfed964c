import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import { clearThrottle, countFailure, throttleByKey, uncountFailure } from './store.ts';

const windowMs = 15 * 60_000;
/** Failed attempts within the window: of one account, and from one address, which a whole shop may share. */
const limits = { account: 10, address: 50 } as const;

export type Attempt = { readonly emailKey: string; readonly address: string };
export type TooManyAttempts = { readonly kind: 'too_many_attempts'; readonly retryAfterSeconds: number };

/**
 * Limits wrong passwords and codes. An attempt counts as failed before it is judged, so that many at once are not judged
 * beyond the limit, and no longer once it succeeded.
 */
export function attemptThrottle({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const keysOf = ({ emailKey, address }: Attempt) => ({ account: `a ${emailKey}`, address: `ip ${address}` });

  async function count(tx: Transaction, key: string, max: number, now: Instant): Promise<Instant | undefined> {
    await tx.run(countFailure, { key, failures: 1, now, windowEndsAt: now + windowMs });
    const row = await tx.first(throttleByKey, { key, now });
    return row && row.failures > max ? row.windowEndsAt : undefined;
  }

  return {
    /** Counts an attempt; refuses it if there were too many. */
    begin: (attempt: Attempt): Promise<TooManyAttempts | undefined> =>
      database.write(async tx => {
        const now = clock.now();
        const keys = keysOf(attempt);
        const until = [
          await count(tx, keys.account, limits.account, now),
          await count(tx, keys.address, limits.address, now),
        ].filter(each => each !== undefined);
        if (until.length === 0) return undefined;
        const retryAfterSeconds = Math.max(1, Math.ceil((Math.max(...until) - now) / 1_000));
        return { kind: 'too_many_attempts', retryAfterSeconds };
      }),

    /** Forgets the failures of the account, and of the address the one that `begin` counted. */
    async succeeded(tx: Transaction, attempt: Attempt): Promise<void> {
      const keys = keysOf(attempt);
      await tx.run(clearThrottle, { key: keys.account });
      await tx.run(uncountFailure, { key: keys.address });
    },
  };
}
export type AttemptThrottle = ReturnType<typeof attemptThrottle>;

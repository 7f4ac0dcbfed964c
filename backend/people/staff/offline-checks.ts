import type { StaffCheckEntry } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Instant, Log, SteadyClock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { AuditLog } from '../audit/log.ts';
import { failureCount } from './failures.ts';
import { type LockoutSettings, terminalLockedUntil } from './lockout.ts';
import { type CheckedSale, checkEntry } from './log-entry.ts';
import { failuresBetween, staffForUpdate, staffRow, terminalForCheck } from './store.ts';

/** A password check that a terminal decided while offline, reported later. */
export type OfflineCheck = Pick<StaffCheckEntry, 'staffId' | 'status' | 'reason' | 'detail'> & {
  readonly businessId: string;
  /** The enrolment that recorded it. */
  readonly terminalId: string;
  readonly sale: CheckedSale;
  readonly kind: StaffCheckEntry['operation'];
  readonly amountMinor: number | null;
  readonly attemptedAt: Instant;
  /** The staff member whose request was to be approved by the check; null if nobody asked for approval. */
  readonly requestedById: string | null;
};

/** Why a reported check is implausible. */
export type OfflineCheckRefusal =
  | { readonly kind: 'staff_unknown' }
  /** The staff member was added after the time of the check. */
  | { readonly kind: 'before_staff_member' }
  /** More wrong passwords in a short time than the terminal's lockout permits. */
  | { readonly kind: 'too_many_failures' };

export type OfflineChecks = {
  /**
   * Logs an offline check and counts a wrong password here too. The terminal locked itself by its own count, to which
   * this one only adds, so the stricter of the two applies. The lock starts at the time of the attempt.
   */
  recordOfflineCheck(tx: Transaction, check: OfflineCheck): Promise<Result<undefined, OfflineCheckRefusal>>;
};

/**
 * Checks that terminals decided while offline. The service cannot repeat them, so it refuses only those that are
 * implausible.
 */
export function offlineChecks(options: {
  readonly steadyClock: SteadyClock;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly lockout: LockoutSettings;
  readonly settings: { readonly clockSkewMs: number };
}): OfflineChecks {
  const { steadyClock, audit, lockout, settings } = options;
  const failures = failureCount({ ...options, clock: steadyClock });
  const minLockMs = lockout.durationsMs[0] ?? 0;
  // A correct password in between starts a new round without a lock: twice the attempts allows for one.
  const maxFailures = 2 * lockout.attemptsPerRound;

  /** Whether the terminal's lockout permits this many wrong passwords. */
  async function isPlausible(tx: Transaction, { staffId, terminalId, attemptedAt }: OfflineCheck): Promise<boolean> {
    const from = attemptedAt - minLockMs;
    const to = attemptedAt + minLockMs;
    const earlier = (await tx.first(failuresBetween, { staffId, terminalId, from, to }))?.failures ?? 0;
    return earlier < maxFailures;
  }

  return {
    async recordOfflineCheck(tx, check) {
      const { businessId, staffId, terminalId, sale, kind, amountMinor, attemptedAt } = check;
      const staff = await tx.first(staffForUpdate, { businessId, id: staffId });
      const terminal = staff && (await tx.first(terminalForCheck, { id: terminalId }));
      if (!staff || !terminal) return err({ kind: 'staff_unknown' });
      const asked = check.requestedById;
      const requestedBy = asked === null ? null : await tx.first(staffRow, { businessId, id: asked });
      if (requestedBy === undefined) return err({ kind: 'staff_unknown' });
      if (attemptedAt < staff.createdAt - settings.clockSkewMs) return err({ kind: 'before_staff_member' });
      const isFailure = check.reason === 'invalid_signature';
      if (isFailure && !(await isPlausible(tx, check))) return err({ kind: 'too_many_failures' });
      const now = steadyClock.now();
      const counts = isFailure && terminalLockedUntil(terminal, now, lockout) === undefined;
      const at = Math.min(attemptedAt - steadyClock.lagMs(), now);
      if (counts) await failures.add(tx, { staff, terminal, at });
      const outcome = { status: check.status, reason: check.reason, detail: check.detail };
      const by = { kind: 'terminal', terminalId } as const;
      const entry = checkEntry({ staff, terminal, sale, kind, amountMinor, outcome, by, requestedBy });
      const offline = { offline: true, ...(isFailure ? { counted: counts } : {}) };
      await audit.append(tx, { ...entry, detail: { ...entry.detail, ...offline }, attemptedAt });
      return ok(undefined);
    },
  };
}

import type { Instant } from '@florin/shared/ports.ts';
import type SqliteConnection from 'better-sqlite3';
import { z } from 'zod';
import type { SecretBox } from '../ports.ts';

const lockoutState = z.object({
  failedAttempts: z.int(),
  round: z.int(),
  /** By the service's time, as far as this terminal knows it. */
  lockedUntil: z.number().nullable(),
  /** By the monotonic running time, which applies while the service's time is unknown. */
  measuredUntil: z.number().nullable(),
});
export type LockoutState = z.infer<typeof lockoutState>;

export type GuardFault = 'missing' | 'changed';

const guard = z.object({
  lockouts: z.record(z.string(), lockoutState),
  /** The sequence of the newest outbox entry, by enrolment. */
  sequences: z.record(z.string(), z.int()),
  /** Ids of the entries that must be in the outbox. */
  undelivered: z.array(z.string()),
  /** The stored total running time of this terminal's programs. */
  measuredMs: z.number(),
  /** An earlier guard was lost or modified: no staff member is accepted before the service was reached. */
  isSuspect: z.boolean(),
  unreportedFault: z.enum(['missing', 'changed']).nullable(),
});
export type Guard = z.infer<typeof guard>;

const empty: Guard = {
  lockouts: {},
  sequences: {},
  undelivered: [],
  measuredMs: 0,
  isSuspect: false,
  unreportedFault: null,
};

/**
 * Limits offline password guessing. The state is sealed with the terminal's key, so that a deleted or edited state
 * denies all staff instead of admitting them. An older copy of the whole file is not detected here; the
 * service detects it by the sequence of the entries.
 */
export function guardOf(db: SqliteConnection.Database, secrets: SecretBox) {
  const row = db.prepare<[], { sealed: string }>("SELECT sealed FROM secrets WHERE name = 'guard'");
  const save = db.prepare<[string]>("INSERT OR REPLACE INTO secrets (name, sealed) VALUES ('guard', ?)");
  const enrolledBefore = db.prepare<[], unknown>("SELECT 1 FROM settings WHERE name = 'configuration'");

  function read(): Guard {
    const stored = row.get();
    if (!stored) return enrolledBefore.get() ? afterFault('missing') : empty;
    const plain = secrets.open(stored.sealed);
    return (plain === undefined ? undefined : parseGuard(plain)) ?? afterFault('changed');
  }
  const change = (next: (before: Guard) => Guard) => void save.run(secrets.seal(JSON.stringify(next(read()))));
  return { read, change };
}

function parseGuard(plain: string): Guard | undefined {
  try {
    return guard.safeParse(JSON.parse(plain)).data;
  } catch {
    return undefined;
  }
}

function afterFault(fault: GuardFault): Guard {
  return { ...empty, isSuspect: true, unreportedFault: fault };
}

/** The guard's operations for the rest of the core. */
export function guardMethods(db: SqliteConnection.Database, { read, change }: ReturnType<typeof guardOf>) {
  return {
    lockout: (staffId: string): LockoutState | undefined => read().lockouts[staffId],
    saveLockout: db.transaction((staffId: string, state: LockoutState | null) =>
      change(before => ({ ...before, lockouts: withLockout(before.lockouts, staffId, state) })),
    ),
    measuredMs: (): number => read().measuredMs,
    saveMeasured: db.transaction((measuredMs: Instant) => {
      const isLocked = Object.values(read().lockouts).some(({ measuredUntil }) => (measuredUntil ?? 0) > 0);
      if (isLocked) change(before => ({ ...before, measuredMs: Math.max(before.measuredMs, measuredMs) }));
    }),
    isGuardSuspect: (): boolean => read().isSuspect,
    hasLockouts: (): boolean => Object.keys(read().lockouts).length > 0,
    unreportedGuardFault: (): GuardFault | null => read().unreportedFault,
    saveGuardFaultReported: db.transaction(() => change(before => ({ ...before, unreportedFault: null }))),
    /** The service was reached: its counts apply from here on. */
    saveGuardTrusted: db.transaction(() => {
      if (read().isSuspect) change(before => ({ ...before, isSuspect: false }));
    }),
  };
}

function withLockout(lockouts: Guard['lockouts'], staffId: string, state: LockoutState | null): Guard['lockouts'] {
  const { [staffId]: _, ...others } = lockouts;
  return state ? { ...others, [staffId]: state } : others;
}

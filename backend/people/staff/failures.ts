import { actorReference } from '@florin/shared/actor.ts';
import type { Instant, Log, SteadyClock } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { afterFailure, afterLockout, type CheckedTerminal, type LockoutSettings, notLockedOut } from './lockout.ts';
import type { StaffRow } from './rows.ts';
import { saveTerminalLockouts, updateLockout } from './store.ts';

export type FailureCount = {
  /** Counts a wrong password entered at `at`; returns the end of the lockout it caused. */
  add(
    tx: Transaction,
    failure: { readonly staff: StaffRow; readonly terminal: CheckedTerminal; readonly at: Instant },
  ): Promise<Instant | undefined>;
  /** A correct password resets the count. */
  clear(tx: Transaction, staff: StaffRow): Promise<void>;
};

/** Counts wrong passwords per staff member, from any terminal, and lockouts per terminal. */
export function failureCount(options: {
  clock: SteadyClock;
  lockout: LockoutSettings;
  log: Log;
  events: Events;
}): FailureCount {
  const { clock, lockout, log, events } = options;

  function announce(tx: Transaction, staff: StaffRow, terminal: CheckedTerminal, lockedUntil: Instant): void {
    const { id: subjectId, businessId, name, staffNumber } = staff;
    const { id: terminalId, name: terminalName } = terminal;
    const onSystemClock = lockedUntil + clock.lagMs();
    const payload = { name, staffNumber, terminalId, terminalName, lockedUntil: onSystemClock };
    events.announce(tx, { type: 'staff.locked', businessId, subjectId, by: { kind: 'terminal', terminalId }, payload });
  }

  return {
    async add(tx, { staff, terminal, at }) {
      const next = afterFailure(staff, at, lockout);
      await tx.run(updateLockout, { id: staff.id, ...next });
      if (next.lockoutRound === staff.lockoutRound) return undefined;
      const caused = afterLockout(terminal, clock.now(), lockout);
      await tx.run(saveTerminalLockouts, { terminalId: terminal.id, ...caused });
      if (next.lockedUntil !== null) announce(tx, staff, terminal, next.lockedUntil);
      const { id: staffId, businessId } = staff;
      const by = actorReference({ kind: 'terminal', terminalId: terminal.id });
      const facts = { businessId, staffId, terminalId: terminal.id, by, round: next.lockoutRound };
      afterCommit(tx, () => log.warn(facts, 'staff member locked out'));
      if (caused.lockouts === lockout.perTerminal.count) {
        afterCommit(tx, () =>
          log.warn(
            { businessId, terminalId: terminal.id, by, ...caused },
            'terminal locked out: too many staff lockouts',
          ),
        );
      }
      return next.lockedUntil ?? undefined;
    },

    async clear(tx, staff) {
      if (staff.failedAttempts === 0 && staff.lockoutRound === 0 && staff.lockedUntil === null) return;
      await tx.run(updateLockout, { id: staff.id, ...notLockedOut });
    },
  };
}

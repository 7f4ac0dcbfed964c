import type { Actor } from '@florin/shared/actor.ts';
import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { type Clock, type Ids, type Instant, idPrefixes, type Random, type SteadyClock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { keyPairOf } from '@florin/shared/signing/ed25519.ts';
import { type Database, KeyTaken, type Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import { type DurableWrite, unkeyedWrite } from '../../foundation/idempotency/call.ts';
import type { AuditLog } from '../audit/log.ts';
import { announceConfiguration } from '../businesses/settings.ts';
import { businessById } from '../businesses/store.ts';
import type { CheckedPasswordChange, StaffChecks } from './authorisation.ts';
import { businessDay } from './business-day.ts';
import { type LockoutSettings, lockedUntilAt, notLockedOut, terminalLockedUntil } from './lockout.ts';
import { type DerivePassword, defaultArgon2, temporaryPassword } from './password.ts';
import type { ChallengeRefusal, PasswordChangeRefusal } from './refusal.ts';
import type { StaffRow } from './rows.ts';
import {
  insertNonce,
  insertStaff,
  purgeNonces,
  type StaffWithTotal,
  saveTerminalLockouts,
  staffById,
  staffByNumber,
  staffForUpdate,
  staffOfBusiness,
  staffPage,
  terminalForCheck,
  terminalOfBusiness,
  updateLockout,
  updatePassword,
  updateStaffProfile,
} from './store.ts';

export type StaffSettings = {
  /** The lifetime of a challenge: time to type a password. */
  readonly nonceMs: number;
  /** The accepted clock difference of a terminal. */
  readonly clockSkewMs: number;
};

export type NewStaff = {
  readonly businessId: string;
  readonly staffNumber: string;
  readonly name: string;
  readonly mayRefundAndVoid: boolean;
  readonly mayManageTerminals: boolean;
  /** Smallest unit of the business's currency; null for no limit. */
  readonly perTransactionLimitMinor: number | null;
  readonly dailyLimitMinor: number | null;
  readonly by: Actor;
};

export type StaffChange = {
  readonly name?: string | undefined;
  readonly mayRefundAndVoid?: boolean | undefined;
  readonly mayManageTerminals?: boolean | undefined;
  readonly perTransactionLimitMinor?: number | null | undefined;
  readonly dailyLimitMinor?: number | null | undefined;
  readonly disabled?: boolean | undefined;
};

export type Challenge = {
  readonly staff: StaffRow;
  readonly nonce: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
};

type ChangeBy = {
  readonly businessId: string;
  readonly staffId: string;
  readonly by: Actor;
  readonly write?: DurableWrite<StaffWithTotal> | undefined;
};

export type StaffService = {
  /** Creates a staff member with a temporary password, returned once and not stored. */
  create(
    staff: NewStaff,
    write?: DurableWrite<StaffWithTotal>,
  ): Promise<Result<{ staff: StaffWithTotal; temporaryPassword: string }, { kind: 'staff_number_taken' }>>;
  change(businessId: string, staffId: string, change: StaffChange, by: Actor): Promise<StaffWithTotal | undefined>;
  /** Ends a lockout: resets failures and rounds. */
  unlock(
    businessId: string,
    staffId: string,
    by: Actor,
    write?: DurableWrite<StaffWithTotal>,
  ): Promise<StaffWithTotal | undefined>;
  /** Ends the lock of a terminal that caused too many lockouts; undefined if there is no such terminal. */
  unlockTerminal(
    businessId: string,
    terminalId: string,
    by: Actor,
    write?: DurableWrite<{ readonly unlocked: true }>,
  ): Promise<{ readonly unlocked: true } | undefined>;
  /** Issues a new temporary password for a forgotten one; also ends a lockout. */
  resetPassword(
    businessId: string,
    staffId: string,
    by: Actor,
    write?: DurableWrite<StaffWithTotal>,
  ): Promise<{ staff: StaffWithTotal; temporaryPassword: string } | undefined>;
  /** Starts a staff authorisation on a terminal: key derivation parameters and a nonce to sign. */
  challenge(options: {
    businessId: string;
    terminalId: string;
    staffNumber: string;
  }): Promise<Result<Challenge, ChallengeRefusal>>;
  /** Replaces a password; the old key has signed the new one. */
  changePassword(change: CheckedPasswordChange): Promise<Result<StaffRow, PasswordChangeRefusal>>;
  /** With the daily refund total, like the lists. */
  byId(businessId: string, staffId: string): Promise<StaffWithTotal | undefined>;
  /** Newest first, before the id `before`. */
  list(options: { businessId: string; before: string; limit: number }): Promise<StaffWithTotal[]>;
  /** All staff of a business, by staff number. */
  all(businessId: string): Promise<StaffWithTotal[]>;
  deleteExpiredNonces(): Promise<number>;
};

/**
 * Staff members and their passwords. Each change and its audit entry are written in one transaction; connected terminals
 * learn it at once.
 */
export function staffService(options: {
  database: Database;
  clock: Clock;
  steadyClock: SteadyClock;
  lockout: LockoutSettings;
  random: Random;
  ids: Ids;
  audit: AuditLog;
  events: Events;
  checks: StaffChecks;
  derivePassword: DerivePassword;
  settings: StaffSettings;
}): StaffService {
  const { database, clock, steadyClock, random, ids, audit, events, checks, derivePassword, settings } = options;

  async function today(businessId: string) {
    const business = await database.first(businessById, { id: businessId });
    return businessDay(clock.now(), business?.timeZone ?? 'UTC');
  }

  async function freshPassword() {
    const password = temporaryPassword(random);
    const salt = random.bytes(16);
    const { publicKey } = keyPairOf(await derivePassword(password, salt, defaultArgon2));
    const columns = {
      publicKey,
      salt: Buffer.from(salt).toString('base64'),
      argon2Json: JSON.stringify(defaultArgon2),
      passwordIsTemporary: 1 as const,
    };
    return { password, columns };
  }

  /** Changes one staff member under their row's lock and logs it. */
  async function changed(
    { businessId, staffId, by, write = unkeyedWrite(database) }: ChangeBy,
    change: (tx: Transaction, staff: StaffRow) => Promise<Record<string, unknown>>,
  ): Promise<StaffWithTotal | undefined> {
    const day = await today(businessId);
    return write.run(async tx => {
      const staff = await tx.first(staffForUpdate, { businessId, id: staffId });
      if (!staff) return undefined;
      const detail = await change(tx, staff);
      announceConfiguration(events, tx, businessId, by);
      await audit.append(tx, {
        businessId,
        kind: 'staff_changed',
        staffId,
        by,
        detail: { ...detail, staff: { id: staff.id, name: staff.name, staffNumber: staff.staffNumber } },
      });
      return tx.first(staffById, { businessId, id: staffId, ...day });
    });
  }

  async function whyLocked(
    staff: StaffRow,
    terminalId: string,
  ): Promise<Exclude<ChallengeRefusal, { kind: 'staff_unknown' }> | undefined> {
    const now = steadyClock.now();
    const lockedUntil = lockedUntilAt(staff, now);
    if (lockedUntil !== undefined) return { kind: 'staff_locked', lockedUntil: lockedUntil + steadyClock.lagMs() };
    const terminal = await database.first(terminalForCheck, { id: terminalId });
    const terminalLocked = terminal && terminalLockedUntil(terminal, now, options.lockout);
    if (terminalLocked === undefined) return undefined;
    return { kind: 'too_many_attempts', lockedOut: 'terminal', lockedUntil: terminalLocked + steadyClock.lagMs() };
  }

  async function create(input: NewStaff, write: DurableWrite<StaffWithTotal> = unkeyedWrite(database)) {
    const { password, columns } = await freshPassword();
    const { by, mayRefundAndVoid, mayManageTerminals, ...given } = input;
    const staff: StaffRow = {
      ...given,
      ...columns,
      ...notLockedOut,
      id: ids.next(idPrefixes.staff),
      mayRefundAndVoid: mayRefundAndVoid ? 1 : 0,
      mayManageTerminals: mayManageTerminals ? 1 : 0,
      disabledAt: null,
      createdAt: clock.now(),
    };
    const created = { ...staff, refundedMinor: 0 };
    try {
      await write.run(async tx => {
        if ((await tx.run(insertStaff, staff)) === 0) throw new KeyTaken('the staff number is taken');
        const { businessId, id, name, staffNumber, perTransactionLimitMinor, dailyLimitMinor } = staff;
        announceConfiguration(events, tx, businessId, by);
        await audit.append(tx, {
          businessId,
          kind: 'staff_changed',
          staffId: id,
          by,
          detail: {
            change: 'created',
            staff: { id, name, staffNumber },
            mayRefundAndVoid,
            mayManageTerminals,
            perTransactionLimitMinor,
            dailyLimitMinor,
          },
        });
        return created;
      });
    } catch (error) {
      if (error instanceof KeyTaken) return err({ kind: 'staff_number_taken' });
      throw error;
    }
    return ok({ staff: created, temporaryPassword: password });
  }

  return {
    create,

    change: (businessId, staffId, change, by) =>
      changed({ businessId, staffId, by }, async (tx, staff) => {
        const disabledAt = change.disabled === undefined ? staff.disabledAt : change.disabled ? clock.now() : null;
        const next = {
          id: staff.id,
          name: change.name ?? staff.name,
          mayRefundAndVoid: flagOr(change.mayRefundAndVoid, staff.mayRefundAndVoid),
          mayManageTerminals: flagOr(change.mayManageTerminals, staff.mayManageTerminals),
          perTransactionLimitMinor: valueOr(change.perTransactionLimitMinor, staff.perTransactionLimitMinor),
          dailyLimitMinor: valueOr(change.dailyLimitMinor, staff.dailyLimitMinor),
          disabledAt,
        };
        await tx.run(updateStaffProfile, next);
        return { change: 'profile', to: next };
      }),

    unlock: (businessId, staffId, by, write) =>
      changed({ businessId, staffId, by, write }, async (tx, staff) => {
        await tx.run(updateLockout, { id: staff.id, ...notLockedOut });
        const { failedAttempts, lockoutRound, lockedUntil } = staff;
        return { change: 'unlocked', was: { failedAttempts, lockoutRound, lockedUntil } };
      }),

    unlockTerminal: (businessId, terminalId, by, write = unkeyedWrite(database)) =>
      write.run(async tx => {
        const terminal = await tx.first(terminalOfBusiness, { businessId, id: terminalId });
        if (!terminal) return undefined;
        const { name, lockouts, lockoutWindowEndsAt } = terminal;
        if (lockoutWindowEndsAt !== null)
          await tx.run(saveTerminalLockouts, { terminalId, lockouts: 0, lockoutWindowEndsAt });
        const detail = { change: 'unlocked', name, was: { lockouts: lockouts ?? 0, lockoutWindowEndsAt } };
        await audit.append(tx, { businessId, kind: 'terminal_changed', terminalId, by, detail });
        return { unlocked: true } as const;
      }),

    async resetPassword(businessId, staffId, by, write) {
      const { password, columns } = await freshPassword();
      const staff = await changed({ businessId, staffId, by, write }, async (tx, { id }) => {
        await tx.run(updatePassword, { id, ...columns });
        await tx.run(updateLockout, { id, ...notLockedOut });
        return { change: 'password_reset' };
      });
      return staff && { staff, temporaryPassword: password };
    },

    async challenge({ businessId, terminalId, staffNumber }) {
      const staff = await database.first(staffByNumber, { businessId, staffNumber });
      // Terminals know who is disabled from their configuration; here that is refused only after the password check.
      if (!staff) return err({ kind: 'staff_unknown' });
      const refused = await whyLocked(staff, terminalId);
      if (refused) return err(refused);
      const issuedAt = clock.now();
      const nonce = `${ids.next(idPrefixes.nonce)}${Buffer.from(random.bytes(16)).toString('hex')}`;
      const expiresAt = issuedAt + settings.nonceMs;
      const parties = { businessId, staffId: staff.id, terminalId };
      const row = { nonce, ...parties, expiresAt, usedAt: null, refusedSignature: null, approvableUntil: null };
      await database.write(tx => tx.run(insertNonce, row));
      return ok({ staff, nonce, issuedAt, expiresAt });
    },

    changePassword: change =>
      database.write(async tx => {
        const { businessId, terminalId, publicKey, salt, argon2 } = change;
        const checked = await checks.checkPasswordChange(tx, change);
        if (!checked.ok) return checked;
        const staff = checked.value;
        const columns = { publicKey, salt, argon2Json: JSON.stringify(argon2), passwordIsTemporary: 0 as const };
        await tx.run(updatePassword, { id: staff.id, ...columns });
        announceConfiguration(events, tx, businessId, { kind: 'terminal', terminalId });
        return ok({ ...staff, ...columns });
      }),

    byId: async (businessId, id) => database.first(staffById, { businessId, id, ...(await today(businessId)) }),

    list: async page => database.all(staffPage, { ...page, ...(await today(page.businessId)) }),

    all: async businessId => database.all(staffOfBusiness, { businessId, ...(await today(businessId)) }),

    deleteExpiredNonces: () => database.write(tx => tx.run(purgeNonces, { before: clock.now() })),
  };
}

/** The parameters of a staff member's key derivation. */
export function argon2Of(staff: StaffRow): Argon2Parameters {
  return JSON.parse(staff.argon2Json) as Argon2Parameters;
}

function flagOr(given: boolean | undefined, current: 0 | 1): 0 | 1 {
  if (given === undefined) return current;
  return given ? 1 : 0;
}

function valueOr<Value>(given: Value | undefined, current: Value): Value {
  return given === undefined ? current : given;
}

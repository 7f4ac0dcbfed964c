import type { Actor } from '@florin/shared/actor.ts';
import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { TerminalMode } from '@florin/shared/contracts/terminal-mode.ts';
import type { Clock, Log, SteadyClock } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { AuditLog } from '../audit/log.ts';
import { approvable, approvalText, endApproval, offered, requestText } from './approval.ts';
import { businessDays } from './business-day.ts';
import type { CheckedOperation } from './checked-operation.ts';
import { failureCount } from './failures.ts';
import { type CheckedTerminal, type LockoutSettings, lockedUntilAt, terminalLockedUntil } from './lockout.ts';
import { type CheckOutcome, checkEntry, staffReferenceOf } from './log-entry.ts';
import type { LimitRefusal, ModeChangeRefusal, PasswordChangeRefusal, ProofRefusal, StaffRefusal } from './refusal.ts';
import type { StaffRow } from './rows.ts';
import { consumeNonce, refundedBetween, staffForUpdate, terminalForCheck } from './store.ts';

/** Who authorised an operation, and who requested it if that was another person. */
export type Authorised = { readonly staff: StaffRow; readonly requestedBy: StaffRow | null };

export type CheckedPasswordChange = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly staffId: string;
  readonly publicKey: string;
  readonly salt: string;
  readonly argon2: Argon2Parameters;
  readonly authorisation: StaffAuthorisation;
};

export type CheckedModeChange = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly mode: TerminalMode;
  readonly authorisation: StaffAuthorisation;
};

export type StaffChecks = {
  /**
   * Decides whether this staff member may perform the operation, in the transaction that reserves the money, so that
   * two terminals cannot both use the remaining limit. Every password check writes exactly one log entry; an expired
   * authorisation or nonce is not checked and writes none. Order: time, nonce, lockout, signature, password, permission,
   * limits. A right password that may not authorise it alone leaves the request for a second staff member to approve.
   * Specification: Terminal staff authorisation.
   */
  check(tx: Transaction, operation: CheckedOperation): Promise<Result<Authorised, StaffRefusal>>;
  /**
   * Verifies and logs a password change signed by the old key; wrong passwords count like in any other check. The same
   * key again is refused without changing the count. Only a terminal can detect the same password under another salt.
   */
  checkPasswordChange(tx: Transaction, change: CheckedPasswordChange): Promise<Result<StaffRow, PasswordChangeRefusal>>;
  /** Whether a manager authorises a terminal to enter or leave kiosk mode; logged like any other check. */
  checkModeChange(tx: Transaction, change: CheckedModeChange): Promise<Result<StaffRow, ModeChangeRefusal>>;
};

export type StaffCheckOptions = {
  readonly clock: Clock;
  readonly steadyClock: SteadyClock;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly lockout: LockoutSettings;
  readonly settings: { readonly nonceMs: number; readonly clockSkewMs: number };
};

type Proof = { readonly businessId: string; readonly terminalId: string; readonly authorisation: StaffAuthorisation };
type Checked = { readonly staff: StaffRow; readonly terminal: CheckedTerminal };
type LogCheck = (checked: Checked, by: Actor, outcome: CheckOutcome) => Promise<unknown>;

/** The staff check. It needs neither password nor hash: the terminal sends a signature over the exact request. */
export function staffChecks(options: StaffCheckOptions): StaffChecks {
  const { clock, steadyClock, audit, lockout, settings } = options;
  const failures = failureCount({ ...options, clock: steadyClock });
  const dayOf = businessDays();

  function isForNow(issuedAt: string): boolean {
    const ageMs = clock.now() - Date.parse(issuedAt);
    return ageMs <= settings.nonceMs + settings.clockSkewMs && ageMs >= -settings.clockSkewMs;
  }

  /** Time, nonce, lockout and signature: common to refunds, voids, password changes and changes of kiosk mode. */
  async function prove(
    tx: Transaction,
    { businessId, terminalId, authorisation }: Proof,
    text: string,
    log: LogCheck,
  ): Promise<Result<Checked, ProofRefusal>> {
    const { staffId, nonce, signature, issuedAt } = authorisation;
    if (!isForNow(issuedAt)) return err({ kind: 'authorisation_expired' });
    // Consumed even if a later step fails, so that a nonce allows only one guess.
    const taken = await tx.run(consumeNonce, { nonce, businessId, staffId, terminalId, now: clock.now() });
    const staff = taken === 1 ? await tx.first(staffForUpdate, { businessId, id: staffId }) : undefined;
    const terminal = staff && (await tx.first(terminalForCheck, { id: terminalId }));
    if (!staff || !terminal) return err({ kind: 'authorisation_expired' });
    const checked = { staff, terminal };
    const by: Actor = { kind: 'terminal', terminalId };
    const now = steadyClock.now();
    const lockedUntil = lockedUntilAt(staff, now);
    const terminalLocked = terminalLockedUntil(terminal, now, lockout);
    if (lockedUntil !== undefined || terminalLocked !== undefined) {
      // The password was not checked, so the entry records that the attempt was not permitted.
      const detail = lockedUntil === undefined ? 'terminal_locked_out' : 'locked_out';
      await log(checked, by, { status: 'failed', reason: 'permission_denied', detail });
      const until = onSystemClock(lockedUntil ?? terminalLocked ?? now);
      const lockedOut = lockedUntil === undefined ? 'terminal' : 'staff';
      return err({ kind: 'too_many_attempts', lockedOut, lockedUntil: until });
    }
    if (!verifyText(staff.publicKey, text, signature)) {
      const lockedNow = await failures.add(tx, { staff, terminal, at: now });
      await log(checked, by, { status: 'failed', reason: 'invalid_signature' });
      return err(
        lockedNow === undefined
          ? { kind: 'invalid_signature' }
          : { kind: 'staff_locked', lockedUntil: onSystemClock(lockedNow) },
      );
    }
    return ok(checked);
  }

  function onSystemClock(instant: number): number {
    return instant + steadyClock.lagMs();
  }

  async function limitRefusal(
    tx: Transaction,
    staff: StaffRow,
    operation: CheckedOperation,
  ): Promise<LimitRefusal | undefined> {
    if (operation.kind === 'CANCEL') return undefined;
    const { amountMinor } = operation;
    const perTransaction = staff.perTransactionLimitMinor;
    if (perTransaction !== null && amountMinor > perTransaction)
      return { kind: 'limit_exceeded', limitMinor: perTransaction };
    if (staff.dailyLimitMinor === null) return undefined;
    const day = dayOf(clock.now(), operation.business.timeZone);
    const used = (await tx.first(refundedBetween, { staffId: staff.id, ...day }))?.totalMinor ?? 0;
    if (used + amountMinor <= staff.dailyLimitMinor) return undefined;
    return { kind: 'daily_limit_exceeded', limitMinor: staff.dailyLimitMinor, usedMinor: used };
  }

  /** Why a staff member with the right password is refused, with the log's reason. */
  async function refusalOf(
    tx: Transaction,
    staff: StaffRow,
    operation: CheckedOperation,
  ): Promise<{ refusal: StaffRefusal; outcome: CheckOutcome } | undefined> {
    const denied = (detail: CheckOutcome['detail'] = null): CheckOutcome => ({
      status: 'failed',
      reason: 'permission_denied',
      detail,
    });
    if (staff.disabledAt !== null) return { refusal: { kind: 'permission_denied' }, outcome: denied('staff_disabled') };
    if (staff.passwordIsTemporary === 1)
      return { refusal: { kind: 'password_change_required' }, outcome: denied('password_change_required') };
    if (staff.mayRefundAndVoid === 0) return { refusal: { kind: 'permission_denied' }, outcome: denied() };
    const limit = await limitRefusal(tx, staff, operation);
    return limit && { refusal: limit, outcome: { status: limit.kind, reason: limit.kind } };
  }

  return {
    async check(tx, operation) {
      const { business, terminalId, sale, kind, amountMinor, approval } = operation;
      const request = approval ? await approvable(tx, operation, approval, clock.now()) : ok(null);
      if (!request.ok) return request;
      const requestedBy = request.value;
      const log: LogCheck = (checked, by, outcome) =>
        audit.append(tx, checkEntry({ ...checked, by, sale, kind, amountMinor, outcome, requestedBy }));
      const text = approval ? approvalText(operation, approval) : requestText(operation);
      const authorisation = approval ?? operation.authorisation;
      const proven = await prove(tx, { businessId: business.id, terminalId, authorisation }, text, log);
      if (!proven.ok) return proven;
      const { staff } = proven.value;
      const by: Actor = { kind: 'staff', staffId: staff.id, terminalId };
      await failures.clear(tx, staff);
      const refused = await refusalOf(tx, staff, operation);
      const outcome = refused?.outcome ?? { status: 'authorized', reason: null, refundId: operation.refundId };
      await log(proven.value, by, outcome);
      if (refused) {
        const isAskedAlone = approval === undefined && staff.disabledAt === null;
        return err(isAskedAlone ? await offered(tx, operation, refused.refusal, clock.now()) : refused.refusal);
      }
      if (approval) await endApproval(tx, operation);
      return ok({ staff, requestedBy });
    },

    async checkPasswordChange(tx, change) {
      const { businessId, terminalId, staffId, authorisation } = change;
      if (authorisation.staffId !== staffId) return err({ kind: 'staff_unknown' });
      const text = canonicalAuthorisation({
        purpose: 'password',
        businessId,
        deviceId: terminalId,
        staffId,
        newPublicKey: change.publicKey,
        newSalt: change.salt,
        newArgon2: change.argon2,
        nonce: authorisation.nonce,
        issuedAt: authorisation.issuedAt,
      });
      const write = (staff: StaffRow, by: Actor, status: string, reason: string | null) =>
        audit.append(tx, {
          businessId,
          kind: 'staff_changed',
          by,
          status,
          reason,
          staffId,
          terminalId,
          detail: { change: 'password', staff: staffReferenceOf(staff) },
        });
      const log: LogCheck = ({ staff }, by, { status, reason }) => write(staff, by, status, reason);
      const proven = await prove(tx, { businessId, terminalId, authorisation }, text, log);
      if (!proven.ok) return proven;
      const { staff } = proven.value;
      const by: Actor = { kind: 'staff', staffId, terminalId };
      const refusal = passwordChangeRefusal(staff, change.publicKey);
      if (refusal) {
        await write(staff, by, 'failed', refusal);
        return err({ kind: refusal });
      }
      await failures.clear(tx, staff);
      await write(staff, by, 'authorized', null);
      return ok(staff);
    },

    async checkModeChange(tx, { businessId, terminalId, mode, authorisation }) {
      const { staffId, nonce, issuedAt } = authorisation;
      const parties = { businessId, deviceId: terminalId, staffId, nonce, issuedAt };
      const text = canonicalAuthorisation({ purpose: 'mode', ...parties, mode });
      const write = (
        { staff, terminal }: Checked,
        by: Actor,
        { status, reason }: { readonly status: string; readonly reason: string | null },
      ) => {
        const detail = { change: 'mode', mode, name: terminal.name, staff: staffReferenceOf(staff) };
        return audit.append(tx, {
          businessId,
          kind: 'terminal_changed',
          by,
          status,
          reason,
          staffId,
          terminalId,
          detail,
        });
      };
      const proven = await prove(tx, { businessId, terminalId, authorisation }, text, write);
      if (!proven.ok) return proven;
      const { staff } = proven.value;
      await failures.clear(tx, staff);
      const refusal = modeChangeRefusal(staff);
      const outcome = refusal ? { status: 'failed', reason: refusal } : { status: 'authorized', reason: null };
      await write(proven.value, { kind: 'staff', staffId, terminalId }, outcome);
      return refusal ? err({ kind: refusal }) : ok(staff);
    },
  };
}

function modeChangeRefusal(staff: StaffRow): 'manager_required' | 'password_change_required' | undefined {
  if (staff.disabledAt !== null || staff.mayManageTerminals === 0) return 'manager_required';
  return staff.passwordIsTemporary === 1 ? 'password_change_required' : undefined;
}

function passwordChangeRefusal(
  staff: StaffRow,
  newPublicKey: string,
): 'permission_denied' | 'password_unchanged' | undefined {
  if (staff.disabledAt !== null) return 'permission_denied';
  return staff.publicKey === newPublicKey ? 'password_unchanged' : undefined;
}

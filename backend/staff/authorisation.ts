import type { Actor } from '@florin/shared/actor.ts';
import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { canonicalAuthorisation } from '@florin/shared/signing/canonical.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import type { AuditLog } from '../audit/store.ts';
import type { Transaction } from '../database/database.ts';
import type { BusinessRow, StaffRow } from '../database/schema.ts';
import { businessDays } from './business-day.ts';
import { afterFailure, type LockoutSettings, lockedUntilAt, notLockedOut } from './lockout.ts';
import type { PasswordChangeRefusal, StaffRefusal } from './refusal.ts';
import { consumeNonce, refundedBetween, staffForUpdate, terminalName, updateLockout } from './store.ts';

/** The sale a refund or void is about, as the log names it. */
export type CheckedSale = {
  readonly paymentId: string;
  readonly invoiceNumber: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly takenAt: Instant | null;
};

export type CheckedOperation = {
  readonly business: BusinessRow;
  readonly terminalId: string;
  readonly sale: CheckedSale;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  /** What is refunded; a void has no amount of its own, so its limits do not apply. */
  readonly amountMinor: number;
  readonly authorisation: StaffAuthorisation;
};

/** A decision taken while the terminal was offline, handed over later. */
export type OfflineCheck = {
  readonly businessId: string;
  readonly terminalId: string;
  readonly staffId: string;
  readonly sale: CheckedSale;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  readonly amountMinor: number | null;
  readonly status: 'failed' | 'limit_exceeded' | 'daily_limit_exceeded';
  readonly reason: 'invalid_signature' | 'permission_denied' | 'limit_exceeded' | 'daily_limit_exceeded';
  readonly attemptedAt: Instant;
};

export type StaffChecks = {
  /**
   * Decides whether this staff member may do this, inside the transaction that reserves the money, so that two terminals
   * cannot both use the last of a limit. Every check of a password writes exactly one log entry; a nonce that is over
   * or a password still to be chosen writes none, for no decision about the operation was reached.
   * Order: nonce, lockout, signature, permission, temporary password, limits. Specification: Terminal staff authorisation.
   */
  check(tx: Transaction, operation: CheckedOperation): Promise<Result<StaffRow, StaffRefusal>>;
  /**
   * Verifies a password change signed by the old key, and logs it; counts wrong passwords like any other check. The same
   * key again is refused and leaves the count as it is. Only a terminal can tell the same password under another salt.
   */
  checkPasswordChange(
    tx: Transaction,
    change: {
      businessId: string;
      terminalId: string;
      staffId: string;
      publicKey: string;
      salt: string;
      argon2: Argon2Parameters;
      authorisation: StaffAuthorisation;
    },
  ): Promise<Result<StaffRow, PasswordChangeRefusal>>;
  /**
   * Writes the log entry of a check made offline and counts its failure here too. The terminal locked itself on its own
   * count; this one can only add to it, so the stricter of the two holds. False when there is no such staff member.
   */
  recordOfflineCheck(tx: Transaction, check: OfflineCheck): Promise<boolean>;
};

/** `by`: the staff member once the signature was theirs; until then only the terminal is known. */
type LogEntry = { status: string; reason: string | null; by: Actor };

/** The staff check. It needs no password and no hash: what a terminal proves is a signature over the exact request. */
export function staffChecks(options: { clock: Clock; audit: AuditLog; lockout: LockoutSettings }): StaffChecks {
  const { clock, audit, lockout } = options;
  const dayOf = businessDays();

  /** Wrong password: counted whichever terminal it came from. */
  async function countFailure(tx: Transaction, staff: StaffRow): Promise<Instant | undefined> {
    const now = clock.now();
    const next = afterFailure(staff, now, lockout);
    await tx.run(updateLockout, { id: staff.id, ...next });
    return next.lockoutRound === staff.lockoutRound ? undefined : (next.lockedUntil ?? undefined);
  }

  async function forgiveFailures(tx: Transaction, staff: StaffRow): Promise<void> {
    if (staff.failedAttempts === 0 && staff.lockoutRound === 0 && staff.lockedUntil === null) return;
    await tx.run(updateLockout, { id: staff.id, ...notLockedOut });
  }

  /** Nonce, lockout and signature: what a refund, a void and a password change have in common. */
  async function prove(
    tx: Transaction,
    proof: { businessId: string; terminalId: string; authorisation: StaffAuthorisation; text: string },
    log: (staff: StaffRow, entry: LogEntry) => Promise<void>,
  ): Promise<
    Result<
      StaffRow,
      Extract<
        StaffRefusal,
        { kind: 'authorisation_expired' | 'too_many_attempts' | 'staff_locked' | 'invalid_signature' }
      >
    >
  > {
    const now = clock.now();
    const { staffId, nonce, signature } = proof.authorisation;
    const { businessId, terminalId } = proof;
    const terminal: Actor = { kind: 'terminal', terminalId };
    // Taken even when what follows fails: one nonce never serves two guesses.
    const taken = await tx.run(consumeNonce, { nonce, businessId, staffId, terminalId, now });
    const staff = taken === 1 ? await tx.first(staffForUpdate, { businessId, id: staffId }) : undefined;
    if (!staff) return err({ kind: 'authorisation_expired' });
    const lockedUntil = lockedUntilAt(staff, now);
    if (lockedUntil !== undefined) {
      // The password was not looked at, so the entry cannot speak of a signature: the attempt itself was not permitted.
      await log(staff, { status: 'failed', reason: 'permission_denied', by: terminal });
      return err({ kind: 'too_many_attempts', lockedUntil });
    }
    if (!verifyText(staff.publicKey, proof.text, signature)) {
      const lockedNow = await countFailure(tx, staff);
      await log(staff, { status: 'failed', reason: 'invalid_signature', by: terminal });
      return err(
        lockedNow === undefined ? { kind: 'invalid_signature' } : { kind: 'staff_locked', lockedUntil: lockedNow },
      );
    }
    return ok(staff);
  }

  async function limitRefusal(
    tx: Transaction,
    staff: StaffRow,
    operation: CheckedOperation,
  ): Promise<Extract<StaffRefusal, { kind: 'limit_exceeded' | 'daily_limit_exceeded' }> | undefined> {
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

  return {
    async check(tx, operation) {
      const { business, terminalId, sale, kind, authorisation } = operation;
      const isRefund = kind === 'REFUND_SALE';
      const log = async (staff: StaffRow, entry: LogEntry) => {
        await audit.append(tx, {
          businessId: business.id,
          kind: isRefund ? 'refund_check' : 'void_check',
          ...entry,
          staffId: staff.id,
          terminalId,
          paymentId: sale.paymentId,
          amountMinor: isRefund ? operation.amountMinor : null,
          detail: await checkDetail(tx, staff, terminalId, sale),
        });
      };
      const text = canonicalAuthorisation({
        purpose: isRefund ? 'refund' : 'void',
        businessId: business.id,
        deviceId: terminalId,
        staffId: authorisation.staffId,
        paymentId: sale.paymentId,
        kind,
        amount: isRefund ? operation.amountMinor : null,
        currency: sale.currency,
        nonce: authorisation.nonce,
        issuedAt: authorisation.issuedAt,
      });
      const proven = await prove(tx, { businessId: business.id, terminalId, authorisation, text }, log);
      if (!proven.ok) return proven;
      const staff = proven.value;
      const by: Actor = { kind: 'staff', staffId: staff.id, terminalId };
      await forgiveFailures(tx, staff);
      if (staff.mayRefundAndVoid === 0 || staff.disabledAt !== null) {
        await log(staff, { status: 'failed', reason: 'permission_denied', by });
        return err({ kind: 'permission_denied' });
      }
      if (staff.passwordIsTemporary === 1) return err({ kind: 'password_change_required' });
      const overLimit = await limitRefusal(tx, staff, operation);
      if (overLimit) {
        await log(staff, { status: overLimit.kind, reason: overLimit.kind, by });
        return err(overLimit);
      }
      await log(staff, { status: 'authorized', reason: null, by });
      return ok(staff);
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
      const log = async (staff: StaffRow, entry: LogEntry) => {
        await audit.append(tx, {
          businessId,
          kind: 'staff_changed',
          ...entry,
          staffId: staff.id,
          terminalId,
          detail: { change: 'password', staff: nameOf(staff) },
        });
      };
      const proven = await prove(tx, { businessId, terminalId, authorisation, text }, log);
      if (!proven.ok) return proven;
      const staff = proven.value;
      const by: Actor = { kind: 'staff', staffId: staff.id, terminalId };
      if (staff.publicKey === change.publicKey) {
        await log(staff, { status: 'failed', reason: 'password_unchanged', by });
        return err({ kind: 'password_unchanged' });
      }
      await forgiveFailures(tx, staff);
      await log(staff, { status: 'authorized', reason: null, by });
      return proven;
    },

    async recordOfflineCheck(tx, check) {
      const staff = await tx.first(staffForUpdate, { businessId: check.businessId, id: check.staffId });
      if (!staff) return false;
      if (check.reason === 'invalid_signature') await countFailure(tx, staff);
      await audit.append(tx, {
        businessId: check.businessId,
        kind: check.kind === 'REFUND_SALE' ? 'refund_check' : 'void_check',
        status: check.status,
        reason: check.reason,
        by: { kind: 'terminal', terminalId: check.terminalId },
        staffId: staff.id,
        terminalId: check.terminalId,
        paymentId: check.sale.paymentId,
        amountMinor: check.amountMinor,
        detail: { ...(await checkDetail(tx, staff, check.terminalId, check.sale)), offline: true },
        attemptedAt: check.attemptedAt,
      });
      return true;
    },
  };
}

function nameOf(staff: StaffRow): { id: string; name: string; staffNumber: string } {
  return { id: staff.id, name: staff.name, staffNumber: staff.staffNumber };
}

/** Names as they are now, so that the entry stays readable when they change. */
async function checkDetail(
  tx: Transaction,
  staff: StaffRow,
  terminalId: string,
  sale: CheckedSale,
): Promise<Record<string, unknown>> {
  const terminal = await tx.first(terminalName, { id: terminalId });
  return { staff: nameOf(staff), terminalName: terminal?.name ?? null, sale };
}

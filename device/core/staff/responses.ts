import type { SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Notice } from '../../ipc/view.ts';
import type { Refused } from '../service/client.ts';
import type { CoreWords } from '../words.ts';
import type { BrokenLimit } from './offline.ts';
import {
  incorrectPassword,
  type LookAgain,
  limitNotice,
  lockedOut,
  refusalNotice,
  terminalLockedOut,
  tooManyAttempts,
} from './words.ts';

export type CheckedStaff = {
  readonly id: string;
  readonly name: string;
  readonly staffNumber: string;
  /** A temporary password must be changed before it can authorise anything. */
  readonly mustChangePassword: boolean;
};

/** What a staff check, or the service's refusal of what was signed, comes to. */
export type StaffEvent =
  | { readonly type: 'NOTICE'; readonly notice: Notice }
  | { readonly type: 'IDENTIFIED'; readonly staff: CheckedStaff }
  | { readonly type: 'NOT_IDENTIFIED'; readonly notice: Notice | null }
  /** Refused to this person alone; a second one may approve the same request. */
  | { readonly type: 'APPROVAL_NEEDED'; readonly notice: Notice; readonly approvableUntil: Instant }
  /** The request can no longer be approved: the first person begins again. */
  | { readonly type: 'APPROVAL_OVER'; readonly notice: Notice }
  | { readonly type: 'LOCKED'; readonly notice: Notice; readonly lockedUntil: Instant | null }
  | { readonly type: 'RETRY'; readonly notice: Notice }
  | { readonly type: 'CHANGE_PASSWORD' }
  | { readonly type: 'CHANGED' }
  | { readonly type: 'REFUSED'; readonly notice: Notice; readonly sale: SaleRecord | null };

/** Words and formats for notices to staff, on the clock of the business. */
export type NoticeContext = {
  readonly words: CoreWords;
  /** Trusted time. */
  readonly now: Instant;
  /** The staff member that the response is about, once known. */
  readonly staffName: string | null;
  /** A time formatted for people at the business. */
  readonly clockTime: (at: Instant) => string;
  /** An amount in the business's currency. */
  readonly money: (amountMinor: number) => string;
};

/** The end of a lockout, if the refusal states it. */
export function lockedUntilOf(refusal: Refused, now: Instant): Instant | null {
  const { lockedUntil, retryAfterSeconds } = refusal.metadata;
  if (typeof lockedUntil === 'string' && Number.isFinite(Date.parse(lockedUntil))) return Date.parse(lockedUntil);
  return typeof retryAfterSeconds === 'number' ? now + retryAfterSeconds * 1_000 : null;
}

/** Whether the terminal itself is locked, rather than the staff member. */
export function isTerminalLocked(refusal: Refused): boolean {
  return refusal.metadata.lockedOut === 'terminal';
}

/** When the payment should be looked at again. */
function lookAgainAt({ metadata }: Refused, { clockTime, now }: NoticeContext): LookAgain {
  const at = typeof metadata.retryAfter === 'string' ? Date.parse(metadata.retryAfter) : Number.NaN;
  if (!Number.isFinite(at)) return 'later';
  // Times are shown to the minute.
  return at < now + 60_000 ? 'inAMinute' : { at: clockTime(at) };
}

/** The pending refund is kept, so that a colleague with a higher limit can approve it. */
function limitEvent(reason: BrokenLimit['reason'], refusal: Refused, context: NoticeContext): StaffEvent {
  const { limit, used } = refusal.metadata;
  const approvableUntil = approvableUntilOf(refusal);
  const [limitMinor, usedMinor] = [limit, used].map(fact => (typeof fact === 'number' ? fact : 0)) as [number, number];
  const broken = { reason, limitMinor, usedMinor };
  return approvableUntil === null
    ? { type: 'NOT_IDENTIFIED', notice: limitNotice(broken, context) }
    : { type: 'APPROVAL_NEEDED', notice: limitNotice(broken, context, { isApprovable: true }), approvableUntil };
}

/** Until when a second staff member may approve what was refused; null if nobody may. */
function approvableUntilOf({ metadata }: Refused): Instant | null {
  const until = typeof metadata.approvableUntil === 'string' ? Date.parse(metadata.approvableUntil) : Number.NaN;
  return Number.isFinite(until) ? until : null;
}

function deniedEvent(refusal: Refused, { words: { notices } }: NoticeContext): StaffEvent {
  const approvableUntil = approvableUntilOf(refusal);
  return approvableUntil === null
    ? { type: 'NOT_IDENTIFIED', notice: notices.permissionDenied }
    : { type: 'APPROVAL_NEEDED', notice: notices.permissionApprovable, approvableUntil };
}

/** The flow event for a refusal of the staff check or of the payment. Nothing moved in any of these cases. */
export function refusalEvent(refusal: Refused, context: NoticeContext): StaffEvent {
  const { words } = context;
  const { notices } = words;
  if (refusal.status === 401) return { type: 'REFUSED', notice: notices.revoked, sale: null };
  switch (refusal.reason ?? '') {
    case 'staff_unknown':
      return { type: 'NOT_IDENTIFIED', notice: notices.incorrectStaffId };
    case 'permission_denied':
      return deniedEvent(refusal, context);
    case 'self_approval':
      return { type: 'NOT_IDENTIFIED', notice: notices.selfApproval };
    case 'approval_expired':
      return { type: 'APPROVAL_OVER', notice: notices.approvalExpired };
    case 'authorisation_required':
      return { type: 'NOT_IDENTIFIED', notice: notices.staffNeeded };
    case 'invalid_signature':
      return { type: 'RETRY', notice: incorrectPassword(null, words) };
    case 'authorisation_expired':
      return { type: 'RETRY', notice: notices.expired };
    case 'password_change_required':
      return { type: 'CHANGE_PASSWORD' };
    case 'staff_locked':
    case 'too_many_attempts': {
      const until = lockedUntilOf(refusal, context.now);
      const untilTime = until === null ? null : context.clockTime(until);
      if (isTerminalLocked(refusal))
        return { type: 'LOCKED', lockedUntil: until, notice: terminalLockedOut(untilTime, words) };
      const noticeOf = refusal.reason === 'staff_locked' ? lockedOut : tooManyAttempts;
      return { type: 'LOCKED', lockedUntil: until, notice: noticeOf(untilTime, context) };
    }
    case 'limit_exceeded':
    case 'daily_limit_exceeded':
      return limitEvent(refusal.reason as BrokenLimit['reason'], refusal, context);
    default:
      if (refusal.status === 429) return { type: 'RETRY', notice: notices.slowDown };
      return {
        type: 'REFUSED',
        notice: refusalNotice(refusal.reason, words, lookAgainAt(refusal, context)),
        sale: null,
      };
  }
}

import { staffRefusalMessages } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { ErrorResponse } from '../../foundation/http/route.ts';
import type { StaffRefusal } from './refusal.ts';

const staffStatus = {
  staff_unknown: 404,
  authorisation_required: 409,
  authorisation_expired: 409,
  too_many_attempts: 429,
  staff_locked: 429,
  invalid_signature: 403,
  permission_denied: 403,
  password_change_required: 409,
  limit_exceeded: 409,
  daily_limit_exceeded: 409,
  self_approval: 403,
  approval_expired: 409,
} as const satisfies Record<StaffRefusal['kind'], number>;

/** Whether the refusal came from a staff check, so that `staffError` can answer it. */
export function isStaffRefusal(refusal: { readonly kind: string }): refusal is StaffRefusal {
  return refusal.kind in staffStatus;
}

export type StaffError<Kind extends StaffRefusal['kind']> = {
  [K in Kind]: ErrorResponse<(typeof staffStatus)[K], K>;
}[Kind];

/** Errors of the staff check, with the specification's terminal messages. */
export function staffError<Refusal extends StaffRefusal>(refusal: Refusal, clock: Clock): StaffError<Refusal['kind']> {
  const { kind, message, facts } = textOf(refusal, clock);
  return { error: { status: staffStatus[kind], message, metadata: { reason: kind, ...facts } } } as StaffError<
    Refusal['kind']
  >;
}

/** Amounts are integers in the smallest unit of the payment's currency. */
function textOf(refusal: StaffRefusal, clock: Clock) {
  const { kind } = refusal;
  const message: string = staffRefusalMessages[kind];
  switch (kind) {
    case 'staff_locked':
    case 'too_many_attempts': {
      const lockedUntil = new Date(refusal.lockedUntil).toISOString();
      const retryAfterSeconds = Math.max(1, Math.ceil((refusal.lockedUntil - clock.now()) / 1_000));
      if (kind === 'staff_locked')
        return { kind, message: `Locked out until ${lockedUntil}`, facts: { lockedUntil, retryAfterSeconds } };
      const { lockedOut } = refusal;
      const words =
        lockedOut === 'terminal'
          ? `This terminal caused too many lockouts and is locked until ${lockedUntil}. A manager can unlock it: POST /api/v1/devices/{id}/unlock`
          : message;
      return { kind, message: words, facts: { lockedOut, lockedUntil, retryAfterSeconds } };
    }
    case 'limit_exceeded':
      return { kind, message, facts: { limit: refusal.limitMinor, ...approvableFact(refusal) } };
    case 'daily_limit_exceeded':
      return {
        kind,
        message,
        facts: { limit: refusal.limitMinor, used: refusal.usedMinor, ...approvableFact(refusal) },
      };
    case 'permission_denied':
      return { kind, message, facts: approvableFact(refusal) };
    case 'staff_unknown':
    case 'authorisation_required':
    case 'authorisation_expired':
    case 'invalid_signature':
    case 'password_change_required':
    case 'self_approval':
    case 'approval_expired':
      return { kind, message, facts: {} };
  }
}

function approvableFact({ approvableUntil }: { readonly approvableUntil?: Instant }) {
  return approvableUntil === undefined ? {} : { approvableUntil: new Date(approvableUntil).toISOString() };
}

import { staffRefusalMessages } from '@florin/shared/contracts/device-v1/refunds.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { StaffRefusal } from './refusal.ts';

/** A refusal as callers see it, before it is put into the one error shape. */
export type RefusalText = {
  readonly status: number;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly reason: string };
};

export const staffStatus = {
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
} as const satisfies Record<StaffRefusal['kind'], number>;

/** Refusals of the staff check, with the terminal's message of the specification. */
export function staffProblem(refusal: StaffRefusal, clock: Clock): RefusalText {
  const { kind } = refusal;
  const status = staffStatus[kind];
  if (refusal.kind === 'staff_locked' || refusal.kind === 'too_many_attempts') {
    const lockedUntil = new Date(refusal.lockedUntil).toISOString();
    const retryAfterSeconds = Math.max(1, Math.ceil((refusal.lockedUntil - clock.now()) / 1_000));
    const message = kind === 'staff_locked' ? `Locked out until ${lockedUntil}` : staffRefusalMessages[kind];
    return { status, message, metadata: { reason: kind, lockedUntil, retryAfterSeconds } };
  }
  const { kind: reason, ...facts } = refusal;
  return { status, message: staffRefusalMessages[kind], metadata: { reason, ...facts } };
}

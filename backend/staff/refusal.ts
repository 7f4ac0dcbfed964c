import type { Instant } from '@florin/shared/ports.ts';

/** Why a staff check did not let an operation through; the words are in shared/contracts/device-v1/refunds.ts. */
export type StaffRefusal =
  | { readonly kind: 'staff_unknown' }
  | { readonly kind: 'authorisation_required' }
  /** The nonce is over, used, or was given to somebody else. No password was checked. */
  | { readonly kind: 'authorisation_expired' }
  /** Refused unchecked because the lock of an earlier round still runs. */
  | { readonly kind: 'too_many_attempts'; readonly lockedUntil: Instant }
  /** This wrong password ended the round, or the terminal asks for a challenge while locked. */
  | { readonly kind: 'staff_locked'; readonly lockedUntil: Instant }
  | { readonly kind: 'invalid_signature' }
  | { readonly kind: 'permission_denied' }
  | { readonly kind: 'password_change_required' }
  | { readonly kind: 'limit_exceeded'; readonly limitMinor: number }
  | { readonly kind: 'daily_limit_exceeded'; readonly limitMinor: number; readonly usedMinor: number };

export type PasswordChangeRefusal =
  | Extract<
      StaffRefusal,
      { kind: 'staff_unknown' | 'authorisation_expired' | 'too_many_attempts' | 'staff_locked' | 'invalid_signature' }
    >
  | { readonly kind: 'password_unchanged' };

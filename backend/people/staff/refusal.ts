import type { Instant } from '@florin/shared/ports.ts';

/** Why a staff check refused an operation; the messages are in shared/contracts/device-v1/refunds.ts. */
export type StaffRefusal =
  | { readonly kind: 'staff_unknown' }
  | { readonly kind: 'authorisation_required' }
  /** The nonce is expired, used, or issued to another terminal. No password was checked. */
  | { readonly kind: 'authorisation_expired' }
  /**
   * Refused unchecked because of a running lock: of the staff member, or of a terminal that caused too many lockouts.
   */
  | { readonly kind: 'too_many_attempts'; readonly lockedOut: 'staff' | 'terminal'; readonly lockedUntil: Instant }
  /** This wrong password ended the round, or a challenge was requested while locked. */
  | { readonly kind: 'staff_locked'; readonly lockedUntil: Instant }
  | { readonly kind: 'invalid_signature' }
  | ({ readonly kind: 'permission_denied' } & Approvable)
  | { readonly kind: 'password_change_required' }
  | ({ readonly kind: 'limit_exceeded'; readonly limitMinor: number } & Approvable)
  | ({ readonly kind: 'daily_limit_exceeded'; readonly limitMinor: number; readonly usedMinor: number } & Approvable)
  /** The second staff member is the one who made the request. No password was checked. */
  | { readonly kind: 'self_approval' }
  /** There is no such request to approve, or no longer. No password was checked. */
  | { readonly kind: 'approval_expired' };

/** Until when a second staff member may approve the same request; absent if nobody may. */
type Approvable = { readonly approvableUntil?: Instant };

type Refusal<Kind extends StaffRefusal['kind']> = Extract<StaffRefusal, { kind: Kind }>;

/** Why an authorisation is invalid. */
export type ProofRefusal = Refusal<
  'authorisation_expired' | 'too_many_attempts' | 'staff_locked' | 'invalid_signature'
>;
export type LimitRefusal = Refusal<'limit_exceeded' | 'daily_limit_exceeded'>;
export type ChallengeRefusal = Refusal<'staff_unknown' | 'staff_locked' | 'too_many_attempts'>;
export type PasswordChangeRefusal =
  | ProofRefusal
  | Refusal<'staff_unknown' | 'permission_denied'>
  | { readonly kind: 'password_unchanged' };
export type ModeChangeRefusal =
  | ProofRefusal
  | Refusal<'password_change_required'>
  | { readonly kind: 'manager_required' };

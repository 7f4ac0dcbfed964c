import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type StaffRow = {
  id: string;
  businessId: string;
  staffNumber: string;
  name: string;
  mayRefundAndVoid: Flag;
  /** May enter and leave kiosk mode. */
  mayManageTerminals: Flag;
  perTransactionLimitMinor: number | null;
  dailyLimitMinor: number | null;
  /** Ed25519 public key (SPKI, base64) of the key pair derived from the password, which is never stored. */
  publicKey: string;
  /** Base64. */
  salt: string;
  argon2Json: string;
  passwordIsTemporary: Flag;
  failedAttempts: number;
  lockoutRound: number;
  lockedUntil: Instant | null;
  disabledAt: Instant | null;
  createdAt: Instant;
};

export type StaffNonceRow = {
  nonce: string;
  businessId: string;
  staffId: string;
  terminalId: string;
  expiresAt: Instant;
  usedAt: Instant | null;
  /** The signature of the void or refund that was refused, and until when a second staff member may approve it. */
  refusedSignature: string | null;
  approvableUntil: Instant | null;
};

/** Staff lockouts that a terminal caused in the current period: see staff/lockout.ts. */
export type TerminalLockoutsRow = { terminalId: string; lockouts: number; lockoutWindowEndsAt: Instant };

import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../database/flag.ts';

export type StaffRow = {
  id: string;
  businessId: string;
  staffNumber: string;
  name: string;
  mayRefundAndVoid: Flag;
  /** Begins and leaves kiosk mode. */
  mayManageTerminals: Flag;
  perTransactionLimitMinor: number | null;
  dailyLimitMinor: number | null;
  /** Ed25519 public key (SPKI, base64) of the key pair the password derives; the password itself is stored nowhere. */
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
};

/** Lockouts of staff that a terminal caused since a window began: see staff/lockout.ts. */
export type TerminalLockoutsRow = { terminalId: string; lockouts: number; lockoutWindowEndsAt: Instant };

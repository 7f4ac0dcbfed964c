import type { Language } from '@florin/shared/languages.ts';
import type { Instant } from '@florin/shared/ports.ts';
import type { Flag } from '../../foundation/database/flag.ts';

export type PortalUserRow = {
  id: string;
  email: string;
  /** Lower case: an address is one user. */
  emailKey: string;
  name: string;
  /** Argon2id of the password with its salt and parameters, see password.ts. */
  passwordJson: string;
  theme: string;
  /** Chosen by the user, or of the page where they first signed in. */
  language: Language | null;
  /** Of the authenticator app, encrypted; a factor from `totpConfirmedAt` on. */
  totpSealed: string | null;
  totpConfirmedAt: Instant | null;
  /** The time step of the last accepted code, which is not accepted again. */
  totpLastStep: number | null;
  createdAt: Instant;
};

export type PortalSessionRow = {
  id: string;
  portalUserId: string;
  /** SHA-256 of the cookie. */
  tokenHash: string;
  isShared: Flag;
  userAgent: string;
  address: string;
  /** When the user last confirmed who they are. */
  steppedUpAt: Instant | null;
  /** What the next passkey has to sign. */
  challenge: string | null;
  createdAt: Instant;
  lastSeenAt: Instant;
  expiresAt: Instant;
  endedAt: Instant | null;
};

/** A secret that completes a sign-in or resets a password, once. */
export type PortalTokenRow = {
  tokenHash: string;
  portalUserId: string;
  purpose: 'second_factor' | 'password_reset';
  isShared: Flag;
  challenge: string | null;
  expiresAt: Instant;
};

export type PortalPasskeyRow = {
  /** The credential's id, base64url. */
  id: string;
  portalUserId: string;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  counter: number;
  transportsJson: string;
  createdAt: Instant;
  lastUsedAt: Instant | null;
};

export type PortalRecoveryCodeRow = { portalUserId: string; codeHash: string };

/** Failed attempts of an account or an address. */
export type PortalThrottleRow = { key: string; failures: number; windowEndsAt: Instant };

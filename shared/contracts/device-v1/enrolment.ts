import { z } from 'zod';
import { counterSettings } from '../api-v1/business.ts';
import { contract, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { terminalMode } from '../terminal-mode.ts';
import { oneLine } from '../text.ts';

/** Base64 of a DER-encoded Ed25519 public key (SPKI, 44 bytes). */
export const ed25519PublicKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{59}=$/, { error: 'must be an Ed25519 public key (SPKI, base64)' });
/** Base64 of a 64-byte Ed25519 signature. */
export const ed25519Signature = z
  .string()
  .regex(/^[A-Za-z0-9+/]{86}==$/, { error: 'must be an Ed25519 signature (base64)' });

/**
 * Argon2id costs. At least OWASP's recommendation (19 MiB, 2 passes); at most what a slow terminal computes in about a
 * second, since every terminal of the business derives with them.
 */
export const argon2Parameters = z.object({
  memoryKibibytes: z.int().min(19_456).max(65_536),
  passes: z.int().min(2).max(8),
  parallelism: z.int().min(1).max(4),
});
export type Argon2Parameters = z.infer<typeof argon2Parameters>;
/** Base64 of 16 random bytes. */
export const salt = z.string().regex(/^[A-Za-z0-9+/]{22}==$/, { error: 'must be 16 bytes, base64' });

/** A staff member as terminals store them: enough to check a password and limits offline. */
export const staffMember = z.object({
  id: z.string(),
  staffNumber: z.string(),
  name: z.string(),
  mayRefundAndVoid: z.boolean(),
  /** May authorise nothing: the terminal says so before it asks for a password. */
  isDisabled: z.boolean().default(false),
  perTransactionLimitMinor: z.int().nullable(),
  dailyLimitMinor: z.int().nullable(),
  refundedTodayMinor: z.int(),
  publicKey: ed25519PublicKey,
  salt,
  argon2: argon2Parameters,
  passwordIsTemporary: z.boolean(),
  failedAttempts: z.int(),
  lockoutRound: z.int(),
  lockedUntil: timestamp.nullable(),
});
export type StaffMember = z.infer<typeof staffMember>;

/** A terminal's whole configuration. Sent at enrolment and after every change. */
export const terminalConfiguration = z.object({
  /** Different after every change, so that the terminal can name its version. */
  version: z.string(),
  business: z.object({
    id: z.string(),
    name: z.string(),
    countryCode: z.string(),
    currency: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    passwordProtectRefundsAndVoids: z.boolean(),
    counter: counterSettings
      .extend({
        saleReference: counterSettings.shape.saleReference.default('none'),
        tipPercents: counterSettings.shape.tipPercents.default([]),
      })
      .default({
        quickAmountsInCents: [],
        confirmAboveInCents: null,
        playsSounds: false,
        saleReference: 'none',
        tipPercents: [],
      }),
    /** Whether sales can be paid in bitcoin. */
    takesBitcoin: z.boolean().default(false),
    /** Whether the service can send a receipt by e-mail. */
    emailsReceipts: z.boolean().default(false),
  }),
  terminal: z.object({ id: z.string(), name: z.string(), mode: terminalMode }),
  lockout: z.object({ attemptsPerRound: z.int(), durationsMs: z.array(z.int()) }),
  staff: z.array(staffMember),
});
export type TerminalConfiguration = z.infer<typeof terminalConfiguration>;

export const enrolTerminal = contract({
  name: 'enrolTerminal',
  method: 'POST',
  path: '/device/v1/enrol',
  authentication: ['none'],
  summary: 'Enrol a terminal with its single-use code',
  tag: 'Enrolment',
  description:
    'The signature proves that the terminal holds the key it enrols with. A terminal that enrols again with the same key may still report records of its earlier enrolments.',
  body: z.object({
    code: oneLine(32).min(6),
    serial: oneLine(64),
    publicKey: ed25519PublicKey,
    /** By that key over `canonicalEnrolment` (shared/signing). */
    signature: ed25519Signature,
  }),
  responses: { 201: json(z.object({ deviceToken: z.string(), configuration: terminalConfiguration })) },
  errors: { 400: ['enrolment_signature_invalid'], 409: ['enrolment_code_invalid'] },
  origin: 'project',
});

export const getTerminalConfiguration = contract({
  name: 'getTerminalConfiguration',
  method: 'GET',
  path: '/device/v1/configuration',
  authentication: ['deviceToken'],
  summary: 'Read this terminal’s configuration',
  tag: 'Enrolment',
  responses: { 200: json(terminalConfiguration) },
  origin: 'project',
});

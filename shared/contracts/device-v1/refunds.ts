import { z } from 'zod';
import { amountMinor } from '../../money.ts';
import { refundErrorReasons, refundRecord } from '../api-v1/refunds.ts';
import { contract, id, timestamp } from '../contract.ts';
import { json } from '../responses.ts';
import { machineWord, oneLine } from '../text.ts';
import { argon2Parameters, ed25519PublicKey, ed25519Signature, salt } from './enrolment.ts';
import { saleRecord } from './sales.ts';

/** Refusals of the staff check, with the specification's terminal messages. */
export const staffRefusalMessages = {
  staff_unknown: 'Incorrect staff ID',
  invalid_signature: 'Incorrect password',
  permission_denied: 'This staff member may not refund or void',
  password_change_required: 'Choose your own password first',
  limit_exceeded: 'Too large transaction!',
  daily_limit_exceeded: 'Daily limit reached!',
  staff_locked: 'Locked out!',
  too_many_attempts: 'Too many attempts, try again later!',
  authorisation_expired: 'This authorisation has expired. Please enter the password again',
  authorisation_required: 'A staff ID and password are required',
  self_approval: 'Another staff member has to approve this',
  approval_expired: 'The time to approve this is over. Please begin again',
} as const;
export type StaffRefusalReason = keyof typeof staffRefusalMessages;

/** Called before a password is entered: returns the staff member, key derivation parameters and a nonce to sign. */
export const createStaffChallenge = contract({
  name: 'createStaffChallenge',
  method: 'POST',
  path: '/device/v1/staff-challenges',
  authentication: ['deviceToken'],
  summary: 'Start a staff authorisation',
  tag: 'Staff',
  body: z.object({ staffNumber: oneLine(32) }),
  responses: {
    201: json(
      z.object({
        staffId: z.string(),
        name: z.string(),
        salt,
        argon2: argon2Parameters,
        passwordIsTemporary: z.boolean(),
        /** Single use, for sixty seconds. */
        nonce: z.string(),
        expiresAt: timestamp,
        /** The service's time, which the signed text must contain within a small tolerance. */
        serverTime: timestamp,
      }),
    ),
  },
  errors: { 404: ['staff_unknown'], 429: ['staff_locked', 'too_many_attempts'] },
  origin: 'project',
});

export const staffAuthorisation = z.object({
  staffId: id('staff'),
  nonce: machineWord(200),
  issuedAt: timestamp,
  signature: ed25519Signature.meta({
    description:
      'Ed25519, by the key the password derives, over the canonical text `florin-staff-authorisation-v1`: see shared/signing/README.md',
  }),
});
export type StaffAuthorisation = z.infer<typeof staffAuthorisation>;

export const changeStaffPassword = contract({
  name: 'changeStaffPassword',
  method: 'POST',
  path: '/device/v1/staff/{staffId}/password',
  authentication: ['deviceToken'],
  summary: 'Replace a staff password: the old key signs the new one',
  tag: 'Staff',
  params: z.object({ staffId: id('staff') }),
  body: z.object({ publicKey: ed25519PublicKey, salt, argon2: argon2Parameters, authorisation: staffAuthorisation }),
  responses: { 200: json(z.object({ changed: z.literal(true) })) },
  errors: {
    403: ['invalid_signature', 'permission_denied'],
    404: ['staff_unknown'],
    409: ['authorisation_expired', 'password_unchanged'],
    429: ['staff_locked', 'too_many_attempts'],
  },
  origin: 'project',
});

/** The terminal's id of a refund. */
const requestId = z
  .string()
  .regex(/^[0-9A-Za-z_-]{8,80}$/, { error: 'must be 8 to 80 letters, digits, hyphens or underscores' });

export const createTerminalRefund = contract({
  name: 'createTerminalRefund',
  method: 'POST',
  path: '/device/v1/refunds',
  authentication: ['deviceToken'],
  summary: 'Void or refund a sale from the terminal',
  description:
    'A requestId never creates a second refund: repeating a call returns the outcome of the first. A refusal whose metadata has `approvableUntil` can be approved until then by a second staff member: the call is made again with the refused `authorisation` and their `approval`.',
  tag: 'Refunds',
  body: z
    .object({
      requestId,
      paymentId: id('pay'),
      kind: z.enum(['CANCEL', 'REFUND_SALE']),
      amountInCents: amountMinor.optional(),
      /** Omitted only if the business has password protection switched off. */
      authorisation: staffAuthorisation.optional(),
      /** Of the refused `authorisation`, by another staff member: see `canonicalAuthorisation` (shared/signing). */
      approval: staffAuthorisation.optional(),
    })
    .superRefine((body, context) => {
      if (body.approval && !body.authorisation) {
        context.addIssue({ code: 'custom', path: ['authorisation'], message: 'is required with an approval' });
      }
      if ((body.kind === 'CANCEL') === (body.amountInCents !== undefined)) {
        context.addIssue({
          code: 'custom',
          path: ['amountInCents'],
          message: 'is required for REFUND_SALE and only allowed there',
        });
      }
    }),
  responses: {
    201: json(z.object({ refund: refundRecord, sale: saleRecord })),
    202: json(z.object({ refund: refundRecord, sale: saleRecord })),
  },
  errors: {
    403: ['invalid_signature', 'permission_denied', 'self_approval'],
    404: ['payment_not_found', 'staff_unknown'],
    409: [
      ...refundErrorReasons,
      'request_differs',
      'refund_withdrawn',
      'limit_exceeded',
      'daily_limit_exceeded',
      'password_change_required',
      'authorisation_expired',
      'authorisation_required',
      'approval_expired',
    ],
    429: ['staff_locked', 'too_many_attempts'],
  },
  origin: 'project',
});

export const getTerminalRefund = contract({
  name: 'getTerminalRefund',
  method: 'GET',
  path: '/device/v1/refunds/{requestId}',
  authentication: ['deviceToken'],
  summary: 'Read a refund requested by this terminal',
  tag: 'Refunds',
  params: z.object({ requestId }),
  responses: { 200: json(z.object({ refund: refundRecord, sale: saleRecord })) },
  errors: { 404: ['refund_not_found'] },
  origin: 'project',
});

/** The outcome of a void or refund at a reader that uses its own processor. */
export const readerRefundOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved'), processorReference: machineWord(100) }),
  z.object({ kind: z.literal('declined'), code: machineWord(40) }),
  /** A void that came too late: the sale has settled and can be refunded. */
  z.object({ kind: z.literal('already_settled') }),
  /** The reader certainly did nothing. */
  z.object({ kind: z.literal('not_performed'), reason: machineWord(40) }),
]);
export type ReaderRefundOutcome = z.infer<typeof readerRefundOutcome>;

/**
 * A sale that the reader authorised by itself is returned by the reader: `createTerminalRefund` holds the amount and
 * returns `pending`, the reader refunds it under this requestId, and this operation reports the outcome. Safe to
 * repeat.
 */
export const reportReaderRefund = contract({
  name: 'reportReaderRefund',
  method: 'POST',
  path: '/device/v1/refunds/{requestId}/outcome',
  authentication: ['deviceToken'],
  summary: 'Report the outcome of a void or refund made by the reader',
  tag: 'Refunds',
  params: z.object({ requestId }),
  body: readerRefundOutcome,
  responses: { 200: json(z.object({ refund: refundRecord, sale: saleRecord })) },
  errors: { 404: ['refund_not_found'], 409: ['refund_not_at_reader'] },
  origin: 'project',
});

/**
 * For a request whose response never arrived. 404: the service has not received it and refuses it if it arrives later.
 * 200: it arrived; nothing is undone.
 */
export const withdrawTerminalRefund = contract({
  name: 'withdrawTerminalRefund',
  method: 'POST',
  path: '/device/v1/refunds/{requestId}/withdraw',
  authentication: ['deviceToken'],
  summary: 'Withdraw a refund request that may still be in transit',
  tag: 'Refunds',
  params: z.object({ requestId }),
  responses: { 200: json(z.object({ refund: refundRecord, sale: saleRecord })) },
  errors: { 404: ['refund_not_found'] },
  origin: 'project',
});

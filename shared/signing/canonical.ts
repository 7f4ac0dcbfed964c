import type { Argon2Parameters } from '../contracts/device-v1/enrolment.ts';

/** What every staff authorisation names: who asks, on which terminal, once. */
type Parties = {
  readonly businessId: string;
  readonly deviceId: string;
  readonly staffId: string;
  readonly nonce: string;
  /** ISO 8601, as on the wire. */
  readonly issuedAt: string;
};

export type OperationAuthorisation = Parties & {
  readonly purpose: 'refund' | 'void';
  readonly paymentId: string;
  readonly kind: 'CANCEL' | 'REFUND_SALE';
  /** Null for a void, which has no amount of its own. */
  readonly amount: number | null;
  readonly currency: string;
};

/** A password change covers everything later checks are made with: the key, and how it is derived. */
export type PasswordAuthorisation = Parties & {
  readonly purpose: 'password';
  readonly newPublicKey: string;
  readonly newSalt: string;
  readonly newArgon2: Argon2Parameters;
};

/** A terminal that begins or leaves kiosk mode. */
export type ModeAuthorisation = Parties & {
  readonly purpose: 'mode';
  readonly mode: 'staff' | 'kiosk';
};

export type StaffAuthorisationRequest = OperationAuthorisation | PasswordAuthorisation | ModeAuthorisation;

/**
 * The one text both sides sign and verify for an authorised request. Changing it makes every older signature invalid,
 * hence the version in it. decisions: Devices, staff and the authorisation signature.
 */
export function canonicalAuthorisation(request: StaffAuthorisationRequest): string {
  const { purpose, businessId, deviceId, staffId, nonce, issuedAt } = request;
  const parties = { purpose, businessId, deviceId, staffId };
  const subject = subjectOf(request);
  return canonicalText('florin-staff-authorisation-v1', { ...parties, ...subject, nonce, issuedAt });
}

function subjectOf(request: StaffAuthorisationRequest) {
  switch (request.purpose) {
    case 'password':
      return {
        newPublicKey: request.newPublicKey,
        newSalt: request.newSalt,
        newMemoryKibibytes: request.newArgon2.memoryKibibytes,
        newPasses: request.newArgon2.passes,
        newParallelism: request.newArgon2.parallelism,
      };
    case 'mode':
      return { mode: request.mode };
    case 'refund':
    case 'void':
      return {
        paymentId: request.paymentId,
        kind: request.kind,
        amount: request.amount,
        currency: request.currency,
      };
  }
}

type OutboxEntryHead = { readonly terminalId: string; readonly sequence: number; readonly entryId: string };

/** A staff check a terminal decided while offline. */
export type SignedStaffCheck = OutboxEntryHead & {
  readonly kind: 'staff_check';
  readonly staffId: string;
  readonly paymentId: string;
  readonly operation: string;
  readonly amountInCents: number | null;
  readonly status: string;
  readonly reason: string;
  readonly detail: string | null;
  readonly attemptedAt: string;
};

/** What a terminal found wrong with its own memory or clock. */
export type SignedTamperReport = OutboxEntryHead & {
  readonly kind: 'tamper_report';
  readonly found: string;
  readonly description: string;
  readonly detectedAt: string;
};

/** Canonical form of what a terminal recorded by itself; the terminal's own key signs it. */
export function canonicalOutboxEntry(entry: SignedStaffCheck | SignedTamperReport): string {
  const { terminalId, sequence, entryId, kind } = entry;
  const subject =
    entry.kind === 'staff_check'
      ? {
          staffId: entry.staffId,
          paymentId: entry.paymentId,
          operation: entry.operation,
          amountInCents: entry.amountInCents,
          status: entry.status,
          reason: entry.reason,
          detail: entry.detail,
          attemptedAt: entry.attemptedAt,
        }
      : { found: entry.found, description: entry.description, detectedAt: entry.detectedAt };
  return canonicalText('florin-outbox-entry-v1', { terminalId, sequence, entryId, kind, ...subject });
}

/** What a terminal signs to enrol: that it holds the key it enrols with. */
export function canonicalEnrolment(request: {
  readonly code: string;
  readonly serial: string;
  readonly publicKey: string;
}): string {
  const { code, serial, publicKey } = request;
  return canonicalText('florin-enrolment-v1', { code, serial, publicKey });
}

/** A line per field, in the order given, JSON-quoted so that no value can pass for another field. */
function canonicalText(version: string, fields: Readonly<Record<string, string | number | null>>): string {
  return [version, ...Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join('\n');
}

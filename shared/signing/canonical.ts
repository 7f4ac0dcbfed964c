import type { Argon2Parameters } from '../contracts/device-v1/enrolment.ts';

/** The fields of every staff authorisation: staff member, terminal and nonce. */
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
  /** Null for a void, which has no amount. */
  readonly amount: number | null;
  readonly currency: string;
};

/** A second staff member's approval of the exact request that the first one signed and may not authorise alone. */
export type ApprovalAuthorisation = Parties &
  Pick<OperationAuthorisation, 'paymentId' | 'kind' | 'amount' | 'currency'> & {
    readonly purpose: 'approval';
    /** The staff member who signed the request, and the nonce they signed it with. */
    readonly requestedBy: string;
    readonly requestNonce: string;
  };

/** A password change covers everything that later checks use: the key and its derivation. */
export type PasswordAuthorisation = Parties & {
  readonly purpose: 'password';
  readonly newPublicKey: string;
  readonly newSalt: string;
  readonly newArgon2: Argon2Parameters;
};

/** A change of a terminal's kiosk mode. */
export type ModeAuthorisation = Parties & {
  readonly purpose: 'mode';
  readonly mode: 'staff' | 'kiosk';
};

export type StaffAuthorisationRequest =
  | OperationAuthorisation
  | ApprovalAuthorisation
  | PasswordAuthorisation
  | ModeAuthorisation;

/**
 * The text that both sides sign and verify for an authorised request. Changing it invalidates every older signature, so
 * it contains a version. decisions: Devices, staff and the authorisation signature.
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
    case 'approval':
      return { requestedBy: request.requestedBy, requestNonce: request.requestNonce, ...operationOf(request) };
    case 'refund':
    case 'void':
      return operationOf(request);
  }
}

function operationOf(request: OperationAuthorisation | ApprovalAuthorisation) {
  return {
    paymentId: request.paymentId,
    kind: request.kind,
    amount: request.amount,
    currency: request.currency,
  };
}

type OutboxEntryHead = { readonly terminalId: string; readonly sequence: number; readonly entryId: string };

/** A staff check that a terminal decided while offline. */
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
  /** Whose request a second staff member was to approve. Left out without one, as in what earlier versions signed. */
  readonly requestedBy?: string | undefined;
};

/** Evidence that a terminal's memory or clock was tampered with. */
export type SignedTamperReport = OutboxEntryHead & {
  readonly kind: 'tamper_report';
  readonly found: string;
  readonly description: string;
  readonly detectedAt: string;
};

/** The canonical text of an offline record, which the terminal's key signs. */
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
          ...(entry.requestedBy === undefined ? {} : { requestedBy: entry.requestedBy }),
        }
      : { found: entry.found, description: entry.description, detectedAt: entry.detectedAt };
  return canonicalText('florin-outbox-entry-v1', { terminalId, sequence, entryId, kind, ...subject });
}

/** The text a terminal signs to enrol, proving that it holds its key. */
export function canonicalEnrolment(request: {
  readonly code: string;
  readonly serial: string;
  readonly publicKey: string;
}): string {
  const { code, serial, publicKey } = request;
  return canonicalText('florin-enrolment-v1', { code, serial, publicKey });
}

/** One line per field in the given order, JSON-quoted so that a value cannot imitate another field. */
function canonicalText(version: string, fields: Readonly<Record<string, string | number | null>>): string {
  return [version, ...Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join('\n');
}

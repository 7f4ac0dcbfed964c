/**
 * The one text both sides sign and verify for an authorised request: a line per field, in this order, JSON-quoted so that
 * no value can pass for another field. Changing it makes every older signature invalid, hence the version in it.
 */
export type StaffAuthorisationRequest = {
  readonly purpose: 'refund' | 'void' | 'password';
  readonly businessId: string;
  readonly deviceId: string;
  readonly staffId: string;
  /** Null for a password change. */
  readonly paymentId: string | null;
  readonly kind: 'CANCEL' | 'REFUND_SALE' | null;
  /** Null for a void, which has no amount of its own. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Of a password change: the new public key. */
  readonly newPublicKey: string | null;
  readonly nonce: string;
  /** ISO 8601, as on the wire. */
  readonly issuedAt: string;
};

const version = 'florin-staff-authorisation-v1';
const fields = [
  'purpose',
  'businessId',
  'deviceId',
  'staffId',
  'paymentId',
  'kind',
  'amount',
  'currency',
  'newPublicKey',
  'nonce',
  'issuedAt',
] as const satisfies readonly (keyof StaffAuthorisationRequest)[];

/** Canonical form of a staff authorisation. decisions: Devices, staff and the authorisation signature. */
export function canonicalAuthorisation(request: StaffAuthorisationRequest): string {
  return [version, ...fields.map(field => `${field}=${JSON.stringify(request[field])}`)].join('\n');
}

/** Canonical form of what a terminal recorded while offline; the terminal's own key signs it. */
export function canonicalOutboxEntry(entry: {
  readonly terminalId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly kind: string;
  readonly staffId: string;
  readonly paymentId: string;
  readonly operation: string;
  readonly amountInCents: number | null;
  readonly status: string;
  readonly reason: string;
  readonly attemptedAt: string;
}): string {
  const names = [
    'terminalId',
    'sequence',
    'entryId',
    'kind',
    'staffId',
    'paymentId',
    'operation',
    'amountInCents',
    'status',
    'reason',
    'attemptedAt',
  ] as const;
  return ['florin-outbox-entry-v2', ...names.map(name => `${name}=${JSON.stringify(entry[name])}`)].join('\n');
}

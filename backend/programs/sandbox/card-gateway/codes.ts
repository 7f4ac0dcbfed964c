/** Response codes of the Direct interface that the sandbox returns. */
export const codes = {
  success: 0,
  partlyApproved: 10,
  referred: 1,
  pickUpCard: 4,
  doNotHonour: 5,
  insufficientFunds: 51,
  expiredCard: 54,
  strongAuthenticationRequired: 65,
  unknownMerchantOrBadSignature: 65539,
  actionNotAllowed: 65541,
  mismatch: 65542,
  malformed: 65544,
  duplicate: 65554,
  expired: 65564,
  noDataFound: 65575,
  threeDSecureRequired: 65802,
  threeDSecureDeclined: 65803,
} as const;

/**
 * Positions of fields in the tables of missing (66048 and up) and invalid (256 above) fields. `action`, `currencyCode`,
 * `xref` and `signature` are documented; the others are inferred from their neighbours.
 */
const places = {
  action: 7,
  amount: 8,
  currencyCode: 9,
  cardNumber: 10,
  cardExpiryMonth: 11,
  cardExpiryYear: 12,
  cardCVV: 16,
  xref: 37,
  signature: 39,
} as const;
type PlacedField = keyof typeof places;

export type Refusal = { readonly code: number; readonly message: string };

/** The error for a required field that the request does not contain. */
export function missing(field: PlacedField): Refusal {
  return { code: 66048 + places[field], message: `Missing request field: ${field}` };
}

/** The error for a field that the request contains with a value the gateway does not accept. */
export function invalid(field: PlacedField): Refusal {
  return { code: 66048 + 256 + places[field], message: `Invalid request field: ${field}` };
}

/** The error for a field outside those tables. */
export function malformed(field: string): Refusal {
  return { code: codes.malformed, message: `Invalid request field: ${field}` };
}

const declineMessages: ReadonlyMap<number, string> = new Map([
  [codes.referred, 'CARD REFERRED'],
  [codes.pickUpCard, 'CARD DECLINED - KEEP CARD'],
  [codes.insufficientFunds, 'INSUFFICIENT FUNDS'],
  [codes.expiredCard, 'EXPIRED CARD'],
  [codes.strongAuthenticationRequired, 'SCA REQUIRED'],
]);

/** A decline of the bank with its message. */
export function declineOf(code: number): Refusal {
  return { code, message: declineMessages.get(code) ?? 'CARD DECLINED' };
}

/** 0 approved, 1 declined by the bank, 2 refused or failed at the gateway. */
export function responseStatus(code: number): '0' | '1' | '2' {
  if (code === 0) return '0';
  return code < 65536 ? '1' : '2';
}

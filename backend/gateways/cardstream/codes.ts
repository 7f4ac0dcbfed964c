/** The meaning of a response code of the Direct interface. */
export type CodeMeaning =
  | 'approved'
  | 'partly_approved'
  | 'three_d_secure'
  | 'declined'
  | 'in_progress'
  | 'gateway_error'
  | 'duplicate'
  | 'unrecognised_code';

export const noDataFoundCode = 65575;

const meanings: ReadonlyMap<number, CodeMeaning> = new Map([
  [0, 'approved'],
  [10, 'partly_approved'],
  [65536, 'in_progress'],
  [65548, 'gateway_error'],
  [65549, 'gateway_error'],
  [65550, 'gateway_error'],
  [65551, 'gateway_error'],
  [65552, 'gateway_error'],
  // Proves that an identical request arrived before, not that it was approved.
  [65554, 'duplicate'],
  [65802, 'three_d_secure'],
]);

/** Other ISO 8583 approvals: with identification, VIP, partial, no reason to decline. */
const otherApprovals = new Set([8, 11, 16, 32, 85, 87]);

/** Refusals by the gateway before anything is carried out, each documented by its number. */
const gatewayRefusals = new Set([65539, 65540, 65541, 65542, 65544, 65557, 65558, 65559, 65564, 65566, 65575, 65803]);

/** The complete list: any other code is inconclusive. */
export function meaningOf(code: number): CodeMeaning {
  const meaning = meanings.get(code);
  if (meaning) return meaning;
  return isBankDecline(code) || gatewayRefusals.has(code) || isFieldRefusal(code) ? 'declined' : 'unrecognised_code';
}

/** ISO 8583 response codes; alphanumeric ones are mapped above 99. */
function isBankDecline(code: number): boolean {
  return code >= 1 && code <= 9999 && !otherApprovals.has(code);
}

/** A request field that is missing or invalid: two tables of 256 fields, each twice. */
function isFieldRefusal(code: number): boolean {
  return code >= 66048 && code < 67072;
}

/** Whether a decline with this code failed in the 3-D Secure check rather than at the bank's authorisation. */
export function isThreeDSecureCode(code: number): boolean {
  return code >= 65792 && code <= 65823;
}

import type { Argon2Parameters } from '@florin/shared/contracts/device-v1/enrolment.ts';
import type { StaffAuthorisation } from '@florin/shared/contracts/device-v1/refunds.ts';
import { canonicalAuthorisation, type StaffAuthorisationRequest } from '@florin/shared/signing/canonical.ts';
import { type KeyPair, keyPairOf, signText } from '@florin/shared/signing/ed25519.ts';
import { argon2id, hash } from 'argon2';

/**
 * The key pair of a staff password: Argon2id of the password is the seed. decisions: Devices, staff and the
 * authorisation signature. Takes about 20 ms off the main thread; the password is used exactly as it was typed.
 */
export async function deriveStaffKey(options: {
  password: string;
  /** Base64. */
  salt: string;
  argon2: Argon2Parameters;
}): Promise<KeyPair> {
  const password = Buffer.from(options.password, 'utf8');
  const seed = await hash(password, {
    type: argon2id,
    raw: true,
    hashLength: 32,
    salt: Buffer.from(options.salt, 'base64'),
    memoryCost: options.argon2.memoryKibibytes,
    timeCost: options.argon2.passes,
    parallelism: options.argon2.parallelism,
  });
  try {
    return keyPairOf(seed);
  } finally {
    password.fill(0);
    seed.fill(0);
  }
}

/** Signs the canonical form of an operation, including the amount and the nonce. The service accepts a nonce once. */
export function signAuthorisation(key: KeyPair, request: StaffAuthorisationRequest): StaffAuthorisation {
  const { staffId, nonce, issuedAt } = request;
  return { staffId, nonce, issuedAt, signature: signText(key.privateKey, canonicalAuthorisation(request)) };
}

/** Why a new password is not allowed; undefined if it is. decisions: 8..128 characters, any; not the staff number. */
export function passwordProblem(options: {
  password: string;
  repeated: string;
  staffNumber: string;
}): 'tooShort' | 'tooLong' | 'staffNumber' | 'different' | undefined {
  const { password, repeated, staffNumber } = options;
  const length = Array.from(password).length;
  if (length < 8) return 'tooShort';
  if (length > 128) return 'tooLong';
  if (password === staffNumber) return 'staffNumber';
  return password === repeated ? undefined : 'different';
}

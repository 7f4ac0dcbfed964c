import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

export type KeyPair = {
  readonly privateKey: KeyObject /** SPKI, base64: what is stored and sent. */;
  readonly publicKey: string;
};

/** The key pair of a 32-byte seed: the same seed always gives the same pair. */
export function keyPairOf(seed: Uint8Array): KeyPair {
  if (seed.length !== 32) throw new Error('an Ed25519 seed has 32 bytes');
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
  return { privateKey, publicKey };
}

/** Signature over `text`, base64. */
export function signText(privateKey: KeyObject, text: string): string {
  return sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64');
}

/** Whether `signature` is valid; false for malformed input. */
export function verifyText(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = parsed(publicKey);
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

const maxParsed = 1_000;
/** Parsing a key takes a third as long as verifying with it, and the staff of a shop sign all day with the same ones. */
const parsedKeys = new Map<string, KeyObject>();

function parsed(publicKey: string): KeyObject {
  const known = parsedKeys.get(publicKey);
  if (known) return known;
  // As PEM, because for bytes Node first checks whether they are a key object, which takes longer than parsing.
  const key = createPublicKey(`-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`);
  if (parsedKeys.size >= maxParsed) parsedKeys.clear();
  parsedKeys.set(publicKey, key);
  return key;
}

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '@florin/shared/ports.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bodyLength = 43;
const checksumLength = 6;

/** A secret to show once: prefix, 32 random bytes in base62, and a checksum that detects typing errors. */
export function newSecret(prefix: string, random: Random): string {
  const body = base62(BigInt(`0x${Buffer.from(random.bytes(32)).toString('hex')}`), bodyLength);
  return `${prefix}${body}${checksumOf(prefix + body)}`;
}

/** Whether the format and checksum are valid; a malformed secret is refused without a database query. */
export function isWellFormed(secret: string, prefix: string): boolean {
  if (!secret.startsWith(prefix) || secret.length !== prefix.length + bodyLength + checksumLength) return false;
  const end = secret.length - checksumLength;
  return checksumOf(secret.slice(0, end)) === secret.slice(end);
}

/** The stored form of a secret. SHA-256 suffices for 32 random bytes. */
export function secretHash(secret: string): string {
  return hash('sha256', secret);
}

function checksumOf(text: string): string {
  return digitsOf(crc32(text), checksumLength);
}

/** A number in base62, with leading zeros. */
export function base62(value: bigint, length: number): string {
  let text = '';
  // BigInt is slow: it divides once for several digits.
  for (let rest = value; text.length < length; rest /= groupSize)
    text = digitsOf(Number(rest % groupSize), groupLength) + text;
  return text.slice(-length);
}

/** The digits of one group are a number below 2⁵³. */
const groupLength = 8;
const groupSize = 62n ** BigInt(groupLength);

function digitsOf(value: number, length: number): string {
  let rest = value;
  let digits = '';
  while (digits.length < length) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A request counts as the last use of a credential; the check whether an open stream may go on does not. */
export type CredentialUse = 'request' | 'openStream';

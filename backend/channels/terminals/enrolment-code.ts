import type { Random } from '@florin/shared/ports.ts';

/** 32 characters without lookalikes: five bits each. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 12;

/** A single-use code in groups of four: sixty random bits, valid for fifteen minutes. */
export function newEnrolmentCode(random: Random): string {
  const characters = [...random.bytes(length)].map(byte => alphabet.charAt(byte % alphabet.length)).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The normalised code that is hashed. */
export function normalisedCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}

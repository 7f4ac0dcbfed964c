import type { Random } from '@florin/shared/ports.ts';

/** No letter or digit that could be read as another. Thirty-two of them: five bits each. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 12;

/** A code to type in once, in groups of four: sixty random bits, for fifteen minutes. */
export function newEnrolmentCode(random: Random): string {
  const characters = [...random.bytes(length)].map(byte => alphabet.charAt(byte % alphabet.length)).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The code as it is hashed: however it was typed. */
export function normalisedCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}

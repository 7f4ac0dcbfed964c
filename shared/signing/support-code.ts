import { createHash } from 'node:crypto';
import { supportCodeAlphabet as alphabet } from '../contracts/support-code.ts';

const length = 6;

/**
 * The code that a person reads out for something with a long id: a sale, or a launch of a terminal's program. It follows
 * from the id alone, so that the terminal and the service write the same code into their logs without telling each other.
 */
export function supportCodeOf(id: string): string {
  let number = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  let code = '';
  while (code.length < length) {
    code += alphabet[number % alphabet.length];
    number = Math.floor(number / alphabet.length);
  }
  return code;
}

/** The facts of a log line about a sale, with its support code. */
export function withSupportCode(facts: Record<string, unknown>): Record<string, unknown> {
  return typeof facts.saleId === 'string' ? { ...facts, supportCode: supportCodeOf(facts.saleId) } : facts;
}

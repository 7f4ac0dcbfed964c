/**
 * A safeguard against card numbers: no field of this protocol may contain 13 consecutive digits, so a Luhn-valid run of
 * 13 to 19 digits in a line is treated as a card number.
 */

const minPanDigits = 13;
const maxPanDigits = 19;

/**
 * Whether a raw line may contain a PAN, in the clear or percent-encoded, also padded with other digits. The line's
 * checksum is excluded by the `*`, which ends a run of digits.
 */
export function holdsPan(rawLine: string): boolean {
  return hasPanRun(rawLine) || (rawLine.includes('%') && hasPanRun(unescapeLoosely(rawLine)));
}

/** Luhn's check over a string of decimal digits. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function hasPanRun(text: string): boolean {
  for (const [run] of text.matchAll(/\d{13,}/g)) {
    for (let start = 0; start + minPanDigits <= run.length; start++) {
      for (let length = minPanDigits; length <= maxPanDigits && start + length <= run.length; length++) {
        const digits = run.slice(start, start + length);
        // Zeros pass Luhn but are not a card number.
        if (passesLuhn(digits) && !/^0+$/.test(digits)) return true;
      }
    }
  }
  return false;
}

/** Unlike the decoder this never fails: a malformed escape must not hide a number beside it. */
function unescapeLoosely(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * The last line of defence for card numbers: no field of this protocol may hold 13 digits in a row, so a Luhn-valid run
 * of 13 to 19 digits anywhere in a line is a card number until proven otherwise.
 */

const shortestPan = 13;
const longestPan = 19;

/**
 * Whether a raw line holds what may be a PAN, in the clear or behind percent-escapes, be it padded with other digits.
 * The checksum is left out of the line's last field by the `*`, which ends a run of digits.
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
    for (let start = 0; start + shortestPan <= run.length; start++) {
      for (let length = shortestPan; length <= longestPan && start + length <= run.length; length++) {
        const digits = run.slice(start, start + length);
        // Zeros alone pass Luhn and are no card.
        if (passesLuhn(digits) && !/^0+$/.test(digits)) return true;
      }
    }
  }
  return false;
}

/** Unlike the decoder this must never refuse: a broken escape must not hide a number beside it. */
function unescapeLoosely(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

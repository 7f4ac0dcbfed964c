import { currencyOfNumeric } from '@florin/shared/reader-line/currencies.ts';
import type { Happening } from '../../timeline/timeline.ts';
import { apdusIn, bmpsOf, parts, type Unwrapped, Unwrapper } from './wire.ts';

const names: Readonly<Record<string, string>> = {
  '0600': 'Registration',
  '0601': 'Payment',
  '0602': 'Log-off',
  '0620': 'Repeat the last receipt',
  '0630': 'Reversal',
  '0631': 'Refund',
  '0650': 'End of day',
  '0670': 'Diagnosis',
  '0693': 'Initialisation',
  '06b0': 'Stop',
  '06e0': 'Display text',
  '0501': 'Status enquiry',
  '0401': 'Date and time',
  '04ff': 'Progress',
  '040f': 'Status information',
  '06d1': 'Print a line',
  '06d3': 'Print a block',
  '060f': 'Completed',
  '061e': 'Aborted',
  '8000': 'Accepted',
  '849c': 'Refused: busy',
};
const progresses: Readonly<Record<string, string>> = {
  '0a': 'waits for a card',
  '68': 'a card was inserted',
  '01': 'asks for the PIN',
  '15': 'the PIN was wrong',
  '04': 'asks the bank',
  '0b': 'waits for the card to be removed',
};
/** Fields that only the reader sends. */
const readerSizes = { '27': 1, '0c': 3, '0d': 2, '2a': 15, '37': 3, '60': 'lll', '8b': 'll', aa: 3 } as const;
/** How many bytes of password precede the fields. */
const passwordBytes: Readonly<Record<string, number>> = { '0620': 3, '0630': 3, '0631': 3 };
const shownBytes = 400;

/** What these bytes are. */
export function describe(
  bytes: Buffer,
  { lane, medium }: { lane: 'terminal' | 'reader'; medium: 'serial' | 'tcp' },
): Happening {
  const said: readonly Unwrapped[] =
    medium === 'tcp'
      ? apdusIn(bytes).apdus.map(apdu => ({ kind: 'apdu' as const, apdu }))
      : new Unwrapper().feed(bytes);
  const raw = hex(bytes);
  if (said.length === 0) return { lane, text: 'Not a whole block', frame: { name: 'bytes', raw } };
  return {
    lane,
    text: said.map(wordsOf).join(' · '),
    frame: { name: said.map(nameOf).join(' '), raw },
    isRoutine: said.every(({ kind }) => kind === 'ack'),
  };
}

function nameOf(said: Unwrapped): string {
  return said.kind !== 'apdu'
    ? said.kind.toUpperCase()
    : said.apdu.toString('hex', 0, 2).toUpperCase().replace(/(..)/, '$1 ');
}

function wordsOf(said: Unwrapped): string {
  if (said.kind === 'apdu') return apduWords(said.apdu);
  return said.kind === 'ack' ? 'Received' : said.kind === 'nak' ? 'Send it again' : 'A damaged block';
}

function apduWords(apdu: Buffer): string {
  const read = parts(apdu);
  if (read === undefined) return 'A damaged command';
  const { code, body } = read;
  const name = names[code] ?? (code.startsWith('84') ? `Refused: ${code.slice(2).toUpperCase()}` : 'Unknown');
  const more = detailOf(code, body);
  return more === '' ? name : `${name}: ${more}`;
}

function detailOf(code: string, body: Buffer): string {
  if (code === '04ff') return progresses[body.toString('hex', 0, 1)] ?? body.toString('hex', 0, 1);
  if (code === '061e') return body.toString('hex', 0, 1).toUpperCase();
  if (code === '06d1') return body.toString('latin1', 1).trim();
  const fields = bmpsOf(body.subarray(passwordBytes[code] ?? 0), readerSizes);
  if (code === '0600' || fields === undefined) return '';
  const [amount, currency, result, receipt] = ['04', '49', '27', '87'].map(name => fields.get(name)?.toString('hex'));
  return [
    result === undefined ? '' : result === '00' ? 'approved' : `failed, ${result.toUpperCase()}`,
    amount === undefined ? '' : amountWords(Number(amount), currency?.slice(1)),
    receipt === undefined ? '' : `receipt ${receipt}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function amountWords(amountMinor: number, currency: string | undefined): string {
  const digits = String(amountMinor).padStart(3, '0');
  const code = currency === undefined ? '' : `${currencyOfNumeric(currency) ?? currency} `;
  return `${code}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** In pairs of digits, without card numbers. */
function hex(bytes: Buffer): string {
  const digits = withoutPan(bytes.subarray(0, shownBytes).toString('hex').toUpperCase());
  return `${digits.match(/../g)?.join(' ') ?? ''}${bytes.length > shownBytes ? ' …' : ''}`;
}

/** Masks the middle of the card number in the fields 22 and 23, whose length stands before it; a masked one stays as it is. */
function withoutPan(digits: string): string {
  return digits.replace(/(2[23]F\dF\d)(\d{6})(\d+)/g, (_, start: string, issuer: string, rest: string) => {
    const numberDigits = Number(`${start.at(3)}${start.at(5)}`) * 2 - issuer.length;
    const number = rest.slice(0, numberDigits);
    return `${start}${issuer}${'*'.repeat(Math.max(0, number.length - 4))}${number.slice(-4)}${rest.slice(numberDigits)}`;
  });
}

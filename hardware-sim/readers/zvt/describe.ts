import { apdusIn, type Unwrapped, Unwrapper } from './wire.ts';

const names: Readonly<Record<string, string>> = {
  '0600': 'registration',
  '0601': 'payment',
  '0602': 'log-off',
  '0620': 'repeat receipt',
  '0630': 'reversal',
  '0631': 'refund',
  '0650': 'end of day',
  '0670': 'diagnosis',
  '0693': 'initialisation',
  '06b0': 'stop',
  '06e0': 'display text',
  '0501': 'status enquiry',
  '0401': 'date and time',
  '04ff': 'progress',
  '040f': 'status information',
  '06d1': 'print line',
  '06d3': 'print block',
  '060f': 'completion',
  '061e': 'aborted',
  '8000': 'yes',
  '849c': 'please wait',
};
const shownBytes = 80;

/** What these bytes are, for the log of the line. */
export function describe(bytes: Buffer, medium: 'serial' | 'tcp'): string {
  const said =
    medium === 'tcp'
      ? apdusIn(bytes).apdus.map(nameOf)
      : new Unwrapper().feed(bytes).map(one => (one.kind === 'apdu' ? nameOf(one.apdu) : wordFor(one)));
  return said.length > 0 ? said.join(' · ') : hex(bytes);
}

function wordFor({ kind }: Exclude<Unwrapped, { kind: 'apdu' }>): string {
  return kind === 'bad' ? 'damaged' : kind.toUpperCase();
}

function nameOf(apdu: Buffer): string {
  const code = apdu.toString('hex', 0, 2);
  return `${hex(apdu)} (${names[code] ?? (code.startsWith('84') ? 'no' : 'unknown')})`;
}

function hex(bytes: Buffer): string {
  const shown = bytes.subarray(0, shownBytes).toString('hex').toUpperCase().match(/../g) ?? [];
  return `${shown.join(' ')}${bytes.length > shownBytes ? ' …' : ''}`;
}

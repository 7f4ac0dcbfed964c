import { exponentOf } from '@florin/shared/amounts.ts';
import { useFormats } from '../words/formats.ts';
import { TextField } from './field.tsx';

type AmountFieldProps = {
  readonly label: string;
  readonly currency: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly issue?: string | undefined;
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
};

/** A field for an amount, as people write it. `minorOf` reads it. */
export function AmountField({ currency, onChange, ...rest }: AmountFieldProps) {
  const formats = useFormats();
  return (
    <TextField
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      placeholder={formats.money(0, currency)}
      onChange={event => onChange(event.target.value)}
    />
  );
}

/** An amount as it was typed, in the smallest unit; undefined if it is none. The last point or comma divides. */
export function minorOf(text: string, currency: string): number | undefined {
  const exponent = exponentOf(currency) ?? 2;
  const plain = text.replaceAll(/[^\d.,]/g, '');
  const [, whole = '', , fraction = ''] = /^(.*?)(?:([.,])(\d*))?$/.exec(plain) ?? [];
  // Three digits behind a point group thousands, where the currency has fewer decimals.
  const isGrouped = fraction.length > exponent && fraction.length === 3;
  const digits = `${whole}${isGrouped ? fraction : ''}`.replaceAll(/[.,]/g, '');
  const decimals = isGrouped ? '' : fraction;
  if (digits + decimals === '' || decimals.length > exponent) return undefined;
  const minor = Number(`${digits}${decimals.padEnd(exponent, '0')}`);
  return minor > 0 && Number.isSafeInteger(minor) ? minor : undefined;
}

/** An amount as it is typed, without its currency. */
export function typedAmount(minor: number, currency: string, locale: string): string {
  const exponent = exponentOf(currency) ?? 2;
  const format = new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  return format.format(minor / 10 ** exponent);
}

import type { CSSProperties } from 'react';
import { useFormats } from '../formats.tsx';

interface AmountProps {
  readonly amountMinor: number;
  readonly currency: string;
  /** Nothing typed yet. */
  readonly faint?: boolean;
  readonly size?: 'large' | 'middle';
}

/** An amount as large as its panel allows, whatever the currency. */
export function Amount({ amountMinor, currency, faint, size = 'large' }: AmountProps) {
  const shown = useFormats().amount(amountMinor, currency);
  return (
    <span className="amount-room">
      <span
        className={`amount amount-${size}${faint ? ' amount-faint' : ''}`}
        style={{ '--characters': [...shown].length } as CSSProperties}
      >
        {shown}
      </span>
    </span>
  );
}

import type { CSSProperties } from 'react';
import { useFormats } from '../formats.tsx';

interface AmountProps {
  readonly amountMinor: number;
  readonly currency: string;
  /** Nothing typed yet. */
  readonly faint?: boolean;
}

/** An amount as large as its panel allows, whatever the currency. */
export function Amount({ amountMinor, currency, faint }: AmountProps) {
  const shown = useFormats().amount(amountMinor, currency);
  return (
    <span className="amount-room">
      <span
        className={`amount${faint ? ' amount-faint' : ''}`}
        style={{ '--characters': shown.length } as CSSProperties}
      >
        {shown}
      </span>
    </span>
  );
}

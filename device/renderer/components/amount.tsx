import type { CSSProperties } from 'react';
import { useFormats } from '../formats.tsx';

interface AmountProps {
  readonly amountMinor: number;
  readonly currency: string;
  /** Nothing typed yet. */
  readonly faint?: boolean;
}

/** An amount as large as its panel allows, in any currency. */
export function Amount({ amountMinor, currency, faint = false }: AmountProps) {
  return <Figure faint={faint}>{useFormats().amount(amountMinor, currency)}</Figure>;
}

/** A formatted amount, as large as its panel allows. */
export function Figure({ children, faint = false }: { readonly children: string; readonly faint?: boolean }) {
  return (
    <span className="amount-room">
      <span
        className={`amount${faint ? ' amount-faint' : ''}`}
        style={{ '--characters': children.length } as CSSProperties}
      >
        {children}
      </span>
    </span>
  );
}

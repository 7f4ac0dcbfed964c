import type { CustomerOutcome, Screen } from '@florin/device/ipc/view.ts';
import type { Instant } from '@florin/shared/ports.ts';

/** `no_end`: the terminal lost its power, and showed no end when it was on again. */
export type SaleEnd = CustomerOutcome | 'no_end';
export type ReturnEnd =
  | Extract<Screen, { name: 'return_result' }>['outcome']
  /** Staff could not ask for it. */
  | 'not_begun'
  | 'no_end';

/** What a terminal's screen told its staff in the end. */
export type Noted = { readonly at: Instant; readonly counter: string; readonly amountMinor: number } & (
  | { readonly kind: 'sale'; readonly end: SaleEnd; readonly tipMinor: number }
  | { readonly kind: 'void' | 'refund'; readonly end: ReturnEnd; readonly why: string; readonly isElsewhere: boolean }
);

/** The paper roll of the shop: what staff saw, from which they count their drawer. */
export class Roll {
  readonly lines: Noted[] = [];
  /** Customers for whom the terminal took no sale: it was off, or not ready. */
  turnedAway = 0;

  note(line: Noted): void {
    this.lines.push(line);
  }
}

import { exponentOf } from '@florin/shared/money.ts';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../actions.tsx';
import { isDigitOfAmount } from '../platform/keys.ts';

/** The amount field of card messages has 12 digits (ISO 8583, field 4). */
const maxCardAmountMinor = 999_999_999_999;

export interface AmountEntry {
  readonly amountMinor: number;
  /** The last key was ignored because the amount would be too large. */
  readonly full: boolean;
  readonly type: (digits: string) => void;
  readonly deleteLast: () => void;
  readonly clear: () => void;
  readonly set: (amountMinor: number) => void;
  /** Adds to what was typed. */
  readonly add: (amountMinor: number) => void;
  /** The key that types several zeros at once. */
  readonly zeros: string;
}

/**
 * An amount typed from its smallest unit up: 1, 2, 5, 0 is 12.50 in pounds and 1250 in yen. Also handles the keyboard:
 * digits, Backspace, Escape to clear, Enter to continue.
 */
export function useAmountEntry(options: {
  currency: string;
  /** The initial amount; the first digit replaces it. */
  chosenMinor?: number | null;
  /** An amount typed earlier; further digits extend it. */
  keptMinor?: number;
  onEnter: (amountMinor: number) => void;
  onChange: () => void;
}): AmountEntry {
  const [{ isChosen, ...typed }, setAmount] = useState({
    amountMinor: options.chosenMinor ?? options.keptMinor ?? 0,
    full: false,
    isChosen: options.chosenMinor !== undefined,
  });
  const setTyped = (
    next: (typed: { amountMinor: number; full: boolean }) => { amountMinor: number; full: boolean },
  ) => {
    setAmount(before => ({ ...next(before), isChosen: false }));
    options.onChange();
  };
  const grow = (next: (amountMinor: number) => number) =>
    setTyped(({ amountMinor }) => {
      const larger = next(amountMinor);
      return larger > maxCardAmountMinor ? { amountMinor, full: true } : { amountMinor: larger, full: false };
    });
  const entry: AmountEntry = {
    ...typed,
    zeros: (exponentOf(options.currency) ?? 2) === 3 ? '000' : '00',
    type: digits => grow(amountMinor => Number(`${isChosen ? 0 : amountMinor}${digits}`)),
    add: more => grow(amountMinor => (isChosen ? 0 : amountMinor) + more),
    deleteLast: () => setTyped(({ amountMinor }) => ({ amountMinor: Math.floor(amountMinor / 10), full: false })),
    clear: () => setTyped(() => ({ amountMinor: 0, full: false })),
    set: amountMinor => setTyped(() => ({ amountMinor, full: false })),
  };
  useTyping({
    onDigit: entry.type,
    onBackspace: entry.deleteLast,
    onEscape: () => {
      if (typed.amountMinor === 0) return false;
      entry.clear();
      return true;
    },
    onEnter: () => {
      if (typed.amountMinor > 0) options.onEnter(typed.amountMinor);
    },
  });
  return entry;
}

interface Typing {
  readonly onDigit: (digit: string) => void;
  readonly onBackspace: () => void;
  /** True if the key was handled; otherwise Escape goes back. */
  readonly onEscape: () => boolean;
  readonly onEnter: () => void;
}

function useTyping(typing: Typing): void {
  const { active } = useActions();
  const latest = useRef(typing);
  latest.current = typing;
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => {
      // An open dialog has the keyboard.
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return;
      if (isDigitOfAmount(event)) {
        // Taken: it is not for the screen that follows.
        event.preventDefault();
        latest.current.onDigit(event.key);
      } else if (event.key === 'Backspace') latest.current.onBackspace();
      else if (event.key === 'Escape' && !event.repeat) {
        if (latest.current.onEscape()) event.preventDefault();
      } else if (event.key === 'Enter' && !event.repeat) {
        // Enter on a focused button presses that button.
        if (!(event.target instanceof HTMLButtonElement)) latest.current.onEnter();
      }
    };
    // Runs before the screen's Escape handler, which goes back if the key was not handled.
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, [active]);
}

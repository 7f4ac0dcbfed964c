import type { InCustomerLanguages } from '@florin/shared/languages.ts';
import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from 'react';
import { Button as PressButton } from 'react-aria-components/Button';
import { HeaderContext } from '../formats.tsx';
import { timers } from '../platform/time.ts';
import { useText } from '../words/words.ts';
import { DeleteIcon, ShiftIcon } from './icons.tsx';

interface KeyboardProps {
  readonly label: string;
  readonly onKey: (character: string) => void;
  readonly onDelete: () => void;
  readonly disabled: boolean;
  /** `code`: capital letters, digits and the hyphen; the others have two signs beside the letters. */
  readonly kind: 'password' | 'code' | 'search' | 'email';
}

const signsOf = { password: ['-', '.'], email: ['@', '.'] } as const;

/** As on the keyboards of the language. */
const layouts: InCustomerLanguages<readonly [string, string, string]> = {
  en: ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  de: ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  fr: ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  es: ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
};

/** What stands before the pence: amounts are searched for as they are shown. */
const decimalSigns: InCustomerLanguages<string> = { en: '.', de: ',', fr: ',', es: ',' };

type Shift = 'off' | 'once' | 'lock';

const nextShift = { off: 'once', once: 'lock', lock: 'off' } as const satisfies Record<Shift, Shift>;
/** With the second top row: every ASCII character that is neither letter nor digit, and two currencies. */
const symbols = ['!@#£$%&*()', '-_=+/\\|:;"', "',.?<>^"] as const;
const moreSymbols = '[]{}~`€¥§°';

/**
 * Letters, digits and symbols to tap, in addition to a physical keyboard: its keys never take the focus, and Tab skips
 * them.
 */
export function Keyboard({ label, onKey, onDelete, disabled, kind }: KeyboardProps) {
  const text = useText();
  const [shift, setShift] = useState<Shift>('off');
  const [layer, setLayer] = useState<'letters' | 'symbols'>('letters');
  const isCode = kind === 'code';
  const { letters, signs } = useKeysOfLanguage(kind);
  const isUpper = isCode || shift !== 'off';
  const type = (character: string) => {
    onKey(character);
    if (shift === 'once') setShift('off');
  };
  const key = (character: string) => (
    <KeyboardKey key={character} disabled={disabled} onPress={() => type(character)}>
      {character}
    </KeyboardKey>
  );
  return (
    <fieldset className="keyboard" data-kind={kind} aria-label={label}>
      <div className="keyboard-digits">
        {'1234567890'.split('').map(key)}
        {signs.map(character => (
          <KeyboardKey key={character} kind="landscape" disabled={disabled} onPress={() => type(character)}>
            {character}
          </KeyboardKey>
        ))}
      </div>
      <div className="keyboard-letters">
        {rowsOf(letters, layer, isUpper).map((row, index) => (
          <div key={letters[index]} className="keyboard-row" data-keys={row.length}>
            {index !== 2 ? null : isCode ? (
              <KeyboardKey kind="wide" disabled={disabled} onPress={() => type('-')}>
                -
              </KeyboardKey>
            ) : (
              <KeyboardKey
                kind="wide"
                label={shift === 'lock' ? text.keyboard.shiftLock : text.keyboard.shift}
                isOn={shift !== 'off'}
                disabled={disabled}
                onPress={() => setShift(nextShift[shift])}
              >
                <ShiftIcon locked={shift === 'lock'} />
              </KeyboardKey>
            )}
            {row.split('').map(key)}
            {index === 2 ? (
              <KeyboardKey kind="wide" label={text.keyboard.deleteLast} disabled={disabled} onHold={onDelete}>
                <DeleteIcon />
              </KeyboardKey>
            ) : null}
          </div>
        ))}
        {isCode ? null : (
          <div className="keyboard-row keyboard-foot">
            <KeyboardKey
              kind="layer"
              label={layer === 'letters' ? text.keyboard.symbols : text.keyboard.letters}
              disabled={disabled}
              onPress={() => {
                setLayer(layer === 'letters' ? 'symbols' : 'letters');
                setShift('off');
              }}
            >
              {layer === 'letters' ? text.keyboard.symbolsShort : text.keyboard.lettersShort}
            </KeyboardKey>
            <KeyboardKey kind="space" disabled={disabled} onPress={() => type(' ')}>
              {text.keyboard.space}
            </KeyboardKey>
            {signs.map(character => (
              <KeyboardKey key={character} kind="portrait" disabled={disabled} onPress={() => type(character)}>
                {character}
              </KeyboardKey>
            ))}
          </div>
        )}
      </div>
    </fieldset>
  );
}

function useKeysOfLanguage(kind: KeyboardProps['kind']) {
  const { language } = use(HeaderContext);
  const signs = kind === 'code' ? [] : kind === 'search' ? [':', decimalSigns[language]] : signsOf[kind];
  return { letters: layouts[language], signs };
}

function rowsOf(letters: readonly string[], layer: 'letters' | 'symbols', isUpper: boolean): readonly string[] {
  if (layer === 'symbols') return isUpper ? [moreSymbols, symbols[1], symbols[2]] : symbols;
  return isUpper ? letters.map(row => row.toUpperCase()) : letters;
}

interface KeyboardKeyProps {
  readonly children: ReactNode;
  readonly label?: string;
  /** `landscape` and `portrait`: shown only if the digits are beside the letters, or above them. */
  readonly kind?: 'wide' | 'layer' | 'space' | 'landscape' | 'portrait';
  readonly isOn?: boolean;
  readonly disabled: boolean;
  readonly onPress?: () => void;
  /** Called when pressed and repeatedly while held. */
  readonly onHold?: () => void;
}

function KeyboardKey({ children, label, kind, isOn, disabled, onPress, onHold }: KeyboardKeyProps) {
  const held = useHeld(onHold);
  return (
    <PressButton
      className={`key keyboard-key${kind === undefined ? '' : ` keyboard-key-${kind}`}`}
      isDisabled={disabled}
      excludeFromTabOrder
      preventFocusOnPress
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      {...(onPress === undefined ? {} : { onPress })}
      {...held}
    >
      {children}
    </PressButton>
  );
}

const repeatAfterMs = 450;
const repeatEveryMs = 70;

function useHeld(action: (() => void) | undefined) {
  const stop = useRef<() => void>(() => {});
  useEffect(() => () => stop.current(), []);
  if (action === undefined) return {};
  const again = (delayMs: number) => {
    stop.current = timers.after(delayMs, () => {
      action();
      again(repeatEveryMs);
    });
  };
  return {
    onPressStart: () => {
      action();
      again(repeatAfterMs);
    },
    onPressEnd: () => stop.current(),
  };
}

/** Types at the caret, like a physical key. */
export function typeInto(input: RefObject<HTMLInputElement | null>, character: string): void {
  const field = input.current;
  if (field === null || (field.maxLength >= 0 && field.value.length >= field.maxLength)) return;
  replaceSelection(field, character, field.selectionStart ?? field.value.length);
}

/** Deletes the selection, otherwise the character before the caret. */
export function deleteFrom(input: RefObject<HTMLInputElement | null>): void {
  const field = input.current;
  if (field === null) return;
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  // A character outside the basic plane is two units long.
  const before = field.value.slice(0, start);
  const last = Array.from(before).at(-1) ?? '';
  replaceSelection(field, '', start === end ? start - last.length : start);
}

function replaceSelection(field: HTMLInputElement, put: string, from: number): void {
  field.setRangeText(put, from, field.selectionEnd ?? field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

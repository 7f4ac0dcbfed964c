import { useEffect, useRef } from 'react';
import { deleteFrom, typeInto } from './components/keyboard.tsx';
import { pressKey } from './platform/keys.ts';
import { timers } from './platform/time.ts';

/** A scanner types its characters faster than this apart; a person does not for so many in a row. */
const maxGapMs = 40;
const minLength = 4;
/** So many are a code even without Enter. */
const certainLength = 10;
/** How long what was typed may turn out to be part of a code. */
const leakMs = 1_000;
/** How long fast characters wait for more of them. */
const heldMs = 100;

/**
 * Tells a code from a barcode scanner, which types like a keyboard, from what a person types. The first character of
 * what may be a code is typed at once, so that nobody waits for their own, and deleted when it was a code's; those that follow
 * it fast are held: of a code they reach only `onCode`, otherwise they are typed as if they had just been pressed.
 * `isOn: false` lets everything through.
 */
export function useScanner({ isOn, onCode }: { isOn: boolean; onCode: (code: string) => void }): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => (isOn ? listen(code => latest.current(code)) : undefined), [isOn]);
}

function listen(onCode: (code: string) => void): () => void {
  let held: KeyboardEvent[] = [];
  /** Typed already: the first, and those after which the next came late to a busy page, although its time shows that it was fast. */
  let leaked: KeyboardEvent[] = [];
  let stopWaiting = () => {};

  function take(): KeyboardEvent[] {
    stopWaiting();
    const taken = held;
    held = [];
    return taken;
  }
  function release(): void {
    const taken = take();
    for (const event of taken) typeLate(event);
    keepAsLeaked([...leaked, ...taken]);
  }
  function keepAsLeaked(events: KeyboardEvent[]): void {
    leaked = events;
    // It may be of a password.
    stopWaiting = timers.after(leakMs, () => {
      leaked = [];
    });
  }
  function finish(): void {
    const taken = take();
    for (const event of leaked.toReversed()) deleteLate(event);
    onCode([...leaked, ...taken].map(({ key }) => key).join(''));
    leaked = [];
  }
  const count = () => leaked.length + held.length;
  const end = () => (held.length > 0 && count() >= certainLength ? finish() : release());
  const swallow = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** A page that was busy gets the next keys only after this. */
  function waitForMore(): void {
    stopWaiting();
    stopWaiting = timers.after(heldMs, () => (isInputPending() ? waitForMore() : end()));
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Those that `typeLate` makes are not held again.
    if (!event.isTrusted || event.key === 'Shift') return;
    const last = held.at(-1) ?? leaked.at(-1);
    const isFast = last !== undefined && event.timeStamp - last.timeStamp <= maxGapMs;
    if (isCharacter(event) && (event.key !== ' ' || isFast)) {
      if (isFast) {
        swallow(event);
        held.push(event);
        waitForMore();
      } else {
        end();
        stopWaiting();
        keepAsLeaked([event]);
      }
      return;
    }
    if ((event.key === 'Enter' || event.key === 'Tab') && isFast && count() >= minLength) {
      swallow(event);
      finish();
      return;
    }
    end();
    leaked = [];
  }

  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('pointerdown', release, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    window.removeEventListener('pointerdown', release, { capture: true });
    release();
  };
}

/** Chromium's answer; other browsers have none. */
function isInputPending(): boolean {
  const { scheduling } = navigator as { scheduling?: { isInputPending?(): boolean } };
  return scheduling?.isInputPending?.() === true;
}

function isCharacter({ key, ctrlKey, metaKey, altKey, repeat, isComposing }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey && !repeat && !isComposing;
}

/** As if the key had just been pressed: at the caret of the field that has the focus, otherwise for the screen. */
function typeLate({ key, code }: KeyboardEvent): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) pressKey(key, code);
  else if (!field.readOnly && !field.disabled) typeInto({ current: field }, key);
}

function deleteLate({ key }: KeyboardEvent): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement) deleteFrom({ current: field });
  // Without a field only digits are typed, into the amount.
  else if (/\d/.test(key)) pressKey('Backspace');
}

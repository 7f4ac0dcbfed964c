import { useEffect, useRef } from 'react';
import { keepChoice, readChoice } from '../platform/browser.ts';
import { clock } from '../platform/time.ts';
import { useAreas } from './areas.ts';
import { useOpenPage } from './page-link.tsx';

export type Overlay = 'palette' | 'keys';

const lettersOff = 'letters off';
/** How long `g` waits for the letter of a page. */
const sequenceMs = 1_500;

/** Whether shortcuts of single letters are on; speech input and some keyboards type them by accident. */
export const areLettersOn = () => readChoice(lettersOff) === null;

/** Switches shortcuts of single letters on or off in this browser. */
export function switchLetters(isOn: boolean): void {
  keepChoice(lettersOff, isOn ? undefined : '1');
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isInDialog = () => document.querySelector('dialog[open]') !== null;

/** The keyboard's shortcuts on every page. */
export function useShortcuts(show: (overlay: Overlay) => void): void {
  const openPage = useOpenPage();
  const areas = useAreas();
  const pressedG = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key.toLowerCase() === 'k' && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        if (!isInDialog()) show('palette');
        return;
      }
      if (isCommand || event.altKey || isTyping(event.target) || isInDialog() || !areLettersOn()) return;
      const now = clock.now();
      const area = now - pressedG.current < sequenceMs ? areas.find(({ letter }) => letter === event.key) : undefined;
      pressedG.current = event.key === 'g' ? now : 0;
      if (area !== undefined) openPage(area.page);
      else if (event.key === '?') show('keys');
      else if (event.key === '/') focusOn('[data-filter]', event);
      else if (event.key === 'j' || event.key === 'k') moveInList(event.key === 'j' ? 1 : -1);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

function focusOn(selector: string, event: KeyboardEvent): void {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) return;
  event.preventDefault();
  found.focus();
}

/** Moves the focus to the next or previous row of the list. Enter opens it, as it does with every link. */
function moveInList(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.row-link')];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

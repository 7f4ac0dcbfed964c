import { useEffect, useRef } from 'react';
import { useActions } from '../actions.tsx';
import { clock } from '../platform/time.ts';

/** Ignores an Enter that was meant for the previous screen. */
const readableAfterMs = 700;

/** Enter does the main action of a screen, once the screen has been shown long enough to be read. */
export function useEnter(action: () => void): void {
  const { active } = useActions();
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (!active) return;
    const readableAt = clock.now() + readableAfterMs;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.repeat || event.target instanceof HTMLButtonElement) return;
      if (clock.now() >= readableAt) latest.current();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [active]);
}

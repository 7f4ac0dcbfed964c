import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { timers } from './time.ts';

/** A fresh Idempotency-Key. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** Keeps a choice for this browser, where the server reads it when it writes the document. */
export function keepForDocument(name: 'florin_theme' | 'florin_language', value: string | undefined): void {
  const age = value === undefined ? 0 : 34_560_000;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox
  document.cookie = `${name}=${value ?? ''}; Path=/portal; Max-Age=${age}; SameSite=Strict`;
}

/** A value that survives a reload of this tab, or undefined if there is none. */
export function readKept(name: string): unknown {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as unknown);
}

/** Keeps a value through reloads of this tab; undefined forgets it. */
export function keep(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

/** Saves a text or bytes as a file of the user's. */
export function download(fileName: string, content: string | Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  const type = typeof content === 'string' ? 'text/plain' : 'application/octet-stream';
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A choice kept in this browser, for all tabs. */
export function readChoice(name: string): string | null {
  return localStorage.getItem(name);
}

/** Keeps a choice in this browser; undefined forgets it. */
export function keepChoice(name: string, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
}

/** Whether a media query holds now. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    changed => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}

/** Whether there is too little room for the side bar. */
export const useIsNarrow = () => useMedia('screen and (max-width: 719px)');

/** Whether there is too little room for a table, beside the side bar or without it. */
export const useIsTight = () => useMedia('screen and (max-width: 999px)');

/** Whether the browser has a network. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    changed => {
      addEventListener('online', changed);
      addEventListener('offline', changed);
      return () => {
        removeEventListener('online', changed);
        removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
}

/** Whether the keyboard's command key is ⌘. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A value once it has stopped changing, such as a text that is being typed. */
export function useSettled<Value>(value: Value, afterMs = 250): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => timers.after(afterMs, () => setSettled(value)), [value, afterMs]);
  return settled;
}

/** The width of an element, which a drawing fills without being scaled; `first` until it is known. */
export function useWidth(first: number): readonly [RefObject<HTMLDivElement | null>, number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? first)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [first]);
  return [place, width];
}

/** Opens the browser's dialog for printing. */
export function printPage(): void {
  globalThis.print();
}

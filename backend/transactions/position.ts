import type { Position } from './store.ts';

/** Where the list begins. */
export const newest: Position = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** A position as part of a cursor. */
export function positionText({ at, id }: Position): string {
  return `${at}-${id}`;
}

export function positionAt(text: string): Position {
  const [at = '', id = ''] = text.split('-');
  return { at: Number(at), id };
}

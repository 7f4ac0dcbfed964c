import type { Position } from './store.ts';

/** Where the list begins. */
export const newest: Position = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** A position as part of a cursor. */
export function positionText({ at, id }: Position): string {
  return `${at}-${id}`;
}

/** The beginning of the list where somebody made the cursor up. */
export function positionAt(text: string): Position {
  const [, at, id] = /^(\d{1,15})-(txn_\w+)$/.exec(text) ?? [];
  return at === undefined || id === undefined ? newest : { at: Number(at), id };
}

import type { Position } from './store.ts';

/** The start of the list. */
export const newest: Position = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** A position in a cursor. */
export function positionText({ at, id }: Position): string {
  return `${at}-${id}`;
}

/** The start of the list for a malformed cursor. */
export function positionAt(text: string): Position {
  const [, at, id] = /^(\d{1,15})-(txn_\w+)$/.exec(text) ?? [];
  return at === undefined || id === undefined ? newest : { at: Number(at), id };
}

/** A row as it was read. */
export type Row = Readonly<Record<string, unknown>>;

/** The argument of a statement that finds or changes a row, by its column. */
export const argumentOf = (column: string, of: 'key' | 'old' | 'new') => `${of}_${column}`;

/** The arguments of `eraseRow` and `eraseText`. */
export function changeOf(key: Row, before: Row, after: Row = {}): Row {
  const named = (of: 'key' | 'old' | 'new', row: Row) =>
    Object.entries(row).map(([column, value]) => [argumentOf(column, of), value] as const);
  return Object.fromEntries([...named('key', key), ...named('old', before), ...named('new', after)]);
}

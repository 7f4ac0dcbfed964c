export type Column = 'text' | 'integer' | 'bigint';
/** `?` after the type allows null. */
export type Columns = Record<string, Column | `${Column}?`>;

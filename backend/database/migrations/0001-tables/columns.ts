/** `notNegative` and `positive` are numbers that the database keeps so. */
export type Column = 'text' | 'integer' | 'bigint' | 'notNegative' | 'positive';
/** `?` after the type allows null. */
export type Columns = Record<string, Column | `${Column}?`>;

/** `notNegative` and `positive` are numbers with a database constraint. */
export type Column = 'text' | 'integer' | 'bigint' | 'notNegative' | 'positive';
/** `?` after the type allows null. */
export type Columns = Record<string, Column | `${Column}?`>;

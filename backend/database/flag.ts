/** A truth value, the same on SQLite and PostgreSQL. */
export type Flag = 0 | 1;

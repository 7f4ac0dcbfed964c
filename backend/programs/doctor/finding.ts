/**
 * The result of one check, in plain words. `fine`: nothing to do. `look`: it works, and a person should decide whether it
 * is meant so. `wrong`: the service does not work, or loses something, until it is put right.
 */
export type Finding = {
  readonly check: string;
  readonly state: 'fine' | 'look' | 'wrong';
  readonly says: string;
  /** What to do; null if nothing. */
  readonly todo: string | null;
};

/** A check with nothing to do. */
export const fine = (check: string, says: string): Finding => ({ check, state: 'fine', says, todo: null });
/** A check whose result a person should look at. */
export const look = (check: string, says: string, todo: string): Finding => ({ check, state: 'look', says, todo });
/** A check that failed. */
export const wrong = (check: string, says: string, todo: string): Finding => ({ check, state: 'wrong', says, todo });

/** The reason of a failure in a few words: its code where there is one. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** Structured log, as the HTTP layer and the flows write to it. No line carries a key, a token, a password or a PAN. */
export interface Log {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

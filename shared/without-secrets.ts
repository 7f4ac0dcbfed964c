const censored = '[redacted]';
/** Deeper than any intentional log fact, and a limit for circular objects. */
const deepest = 8;

/**
 * Censors the named fields in log facts at any depth. Facts without such fields, as in most lines, are scanned once and
 * not copied. Errors are passed through: the log's serialiser handles them.
 */
export function secretsRemover(
  secretFields: readonly string[],
): (facts: Record<string, unknown>) => Record<string, unknown> {
  const secret = new Set(secretFields);

  function cleaned(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || value instanceof Error) return value;
    if (depth > deepest) return censored;
    if (Array.isArray(value)) return value.map(item => cleaned(item, depth + 1));
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, item]) => [name, secret.has(name) ? censored : cleaned(item, depth + 1)]),
    );
  }

  function isClean(value: unknown, depth: number): boolean {
    if (typeof value !== 'object' || value === null || value instanceof Error) return true;
    if (depth > deepest) return false;
    if (Array.isArray(value)) return value.every(item => isClean(item, depth + 1));
    for (const name in value)
      if (secret.has(name) || !isClean((value as Record<string, unknown>)[name], depth + 1)) return false;
    return true;
  }

  return facts => (isClean(facts, 0) ? facts : (cleaned(facts, 0) as Record<string, unknown>));
}

const censored = '[redacted]';
/** Deeper than anything that is logged on purpose, and an end for objects that hold themselves. */
const deepest = 8;

/**
 * For logs: the same facts, the named fields censored wherever they stand. Facts without any, as nearly every line has
 * them, are looked through once and not copied. Errors pass as they are: the log's own serialiser picks from them.
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
    for (const name in value)
      if (secret.has(name) || !isClean((value as Record<string, unknown>)[name], depth + 1)) return false;
    return true;
  }

  return facts => (isClean(facts, 0) ? facts : (cleaned(facts, 0) as Record<string, unknown>));
}

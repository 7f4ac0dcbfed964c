type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** What a backend has logged, line by line. */
export function linesOf(logged: string): Line[] {
  return logged
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line);
}

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** The lines that a backend has logged. */
export function linesOf(logged: string): Line[] {
  return logged
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line);
}

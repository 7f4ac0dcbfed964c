/** Those of the fields that something was typed into, by name. */
export function typedIn(typed: (name: string) => string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, typed(name)]).filter(([, value]) => value !== ''));
}

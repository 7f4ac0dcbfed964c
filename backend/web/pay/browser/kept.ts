/** Accesses the browser's storage; undefined if it is not permitted. */
export function kept<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Stores a number in this tab. */
export function keptInTab(key: string, value: number): void {
  kept(() => sessionStorage.setItem(key, String(value)));
}

/** Reads a number that `keptInTab` stored, and removes it. Undefined if there is none. */
export function takenFromTab(key: string): number | undefined {
  const value = kept(() => sessionStorage.getItem(key)) ?? undefined;
  kept(() => sessionStorage.removeItem(key));
  return value === undefined ? undefined : Number(value);
}

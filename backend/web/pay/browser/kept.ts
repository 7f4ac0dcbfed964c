/** What the browser lets a page keep; undefined where it lets it keep nothing. */
export function kept<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Numbers that this tab keeps until they are asked for. */
export function keptInTab(key: string, value: number): void {
  kept(() => sessionStorage.setItem(key, String(value)));
}

export function takenFromTab(key: string): number | undefined {
  const value = kept(() => sessionStorage.getItem(key)) ?? undefined;
  kept(() => sessionStorage.removeItem(key));
  return value === undefined ? undefined : Number(value);
}

/** A digit that is typed for the amount of a screen, and not into a field. */
export function isDigitOfAmount({ key, ctrlKey, altKey, metaKey, target }: KeyboardEvent): boolean {
  return /^[0-9]$/.test(key) && !ctrlKey && !altKey && !metaKey && !(target instanceof HTMLInputElement);
}

/** As if the key had just been pressed, for the screen. */
export function pressKey(key: string, code = key): void {
  const at = document.activeElement ?? document.body;
  at.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
}

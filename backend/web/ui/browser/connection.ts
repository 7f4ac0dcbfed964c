/** Tells whether the service answers, where somebody waits for it to. */
export function tellConnection(isThere: boolean): void {
  document.getElementById('connection-lost')?.toggleAttribute('hidden', isThere);
}

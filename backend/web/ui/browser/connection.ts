let didAnswer = true;

/** Whether nobody can be asked now: the browser has no network, or the service did not answer the last time. */
export function isConnectionLost(): boolean {
  return !navigator.onLine || !didAnswer;
}

/** Tells whether the service answers, where somebody waits for it to; an answer from before the network went is no sign of one. */
export function showConnection(isThere: boolean): void {
  didAnswer = isThere;
  const notice = document.getElementById('connection-lost');
  // A wallet on another device needs nothing of this one but the code.
  notice?.querySelector('[data-with-code]')?.toggleAttribute('hidden', document.querySelector('.qr') === null);
  notice?.toggleAttribute('hidden', !isConnectionLost());
}

let didAnswer = true;

/** Whether the browser is offline or the last request failed. */
export function isConnectionLost(): boolean {
  return !navigator.onLine || !didAnswer;
}

/** Updates the connection notice; a response from before the browser went offline does not clear it. */
export function showConnection(isThere: boolean): void {
  didAnswer = isThere;
  const notice = document.getElementById('connection-lost');
  // A wallet on another device only needs the code.
  notice?.querySelector('[data-with-code]')?.toggleAttribute('hidden', document.querySelector('.qr') === null);
  notice?.toggleAttribute('hidden', !isConnectionLost());
}

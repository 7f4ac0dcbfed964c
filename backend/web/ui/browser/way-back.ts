/** Long enough to read what the page says. */
const afterMs = 5_000;

/** Returns the customer to the shop after a delay that the page announces; its link does so at once. */
export function goBackByItself(): void {
  const back = document.querySelector<HTMLAnchorElement>('a[data-redirect]');
  if (!back) return;
  document.querySelector('[data-goes-by-itself]')?.removeAttribute('hidden');
  const leaving = setTimeout(() => back.click(), afterMs);
  // Printing cancels the redirect.
  addEventListener('beforeprint', () => {
    clearTimeout(leaving);
    document.querySelector('[data-goes-by-itself]')?.setAttribute('hidden', '');
  });
}

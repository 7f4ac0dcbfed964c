/** Long enough to read what the page says. */
const afterMs = 5_000;

/** Takes the customer back to the shop, which the page says it will; its link goes there at once. */
export function goBackByItself(): void {
  const back = document.querySelector<HTMLAnchorElement>('a[data-redirect]');
  if (!back) return;
  document.querySelector('[data-goes-by-itself]')?.removeAttribute('hidden');
  const leaving = setTimeout(() => back.click(), afterMs);
  // Whoever prints the page stays until they leave it.
  addEventListener('beforeprint', () => {
    clearTimeout(leaving);
    document.querySelector('[data-goes-by-itself]')?.setAttribute('hidden', '');
  });
}

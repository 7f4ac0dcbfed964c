/** Shows a given return destination again in the browser that sent it, and in no other. */
export function showDestination(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-claim]');
  const field = form?.querySelector<HTMLInputElement>('#destination');
  if (!form || !field) return;
  const key = `destination:${form.action}`;
  form.addEventListener('submit', () => stored(storage => storage.setItem(key, field.value)));
  const place = document.querySelector<HTMLElement>('[data-destination-given]');
  const given = stored(storage => storage.getItem(key));
  if (field.hasAttribute('aria-invalid')) {
    // A refused destination is kept for correction and not shown as the destination.
    field.value = given ?? '';
    stored(storage => storage.removeItem(key));
  } else if (place && given) {
    const words = place.querySelector('bdi');
    if (words) words.textContent = given;
    place.hidden = false;
  }
}

function stored<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    // Without storage the destination is not shown again.
    return undefined;
  }
}

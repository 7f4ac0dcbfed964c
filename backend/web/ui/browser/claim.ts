/** Whoever said where to return money sees it once more; nobody else who has the address of the page does. */
export function showDestination(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-claim]');
  const field = form?.querySelector<HTMLInputElement>('#destination');
  if (!form || !field) return;
  const key = `destination:${form.action}`;
  form.addEventListener('submit', () => stored(storage => storage.setItem(key, field.value)));
  const place = document.querySelector<HTMLElement>('[data-destination-given]');
  const given = stored(storage => storage.getItem(key));
  if (field.hasAttribute('aria-invalid')) {
    // What was refused is there to be corrected, and is not where anything goes.
    field.value = given ?? '';
    stored(storage => storage.removeItem(key));
  } else if (place && given) {
    const words = place.querySelector('strong');
    if (words) words.textContent = given;
    place.hidden = false;
  }
}

function stored<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    // A browser that stores nothing for the page: the destination is not shown again.
    return undefined;
  }
}

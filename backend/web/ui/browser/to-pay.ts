import { showDestination } from './claim.ts';
import { offerTag } from './nfc.ts';
import { words } from './words.ts';

/** Copy buttons and countdown, which need a script. */
export function helpToPay(): void {
  for (const element of document.querySelectorAll('[data-reload]')) element.remove();
  document.querySelector('[data-by-itself]')?.removeAttribute('hidden');
  offerTag();
  showDestination();
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => void copy(button));
  }
  const place = document.querySelector<HTMLElement>('[data-countdown]');
  if (place) countDown(place, Number(place.dataset.countdown));
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const input = document.getElementById(button.dataset.copy ?? '');
  if (!(input instanceof HTMLInputElement)) return;
  input.select();
  const isCopied = await (
    navigator.clipboard?.writeText(input.value) ?? Promise.reject(new Error('no clipboard'))
  ).then(
    () => true,
    () => document.execCommand('copy'),
  );
  if (!isCopied) return;
  const label = button.innerHTML;
  button.textContent = words.copied;
  setTimeout(() => {
    button.innerHTML = label;
  }, 2_000);
}

/** The offset of this device's clock from the service's. */
const behindMs = Number(document.body.dataset.servedAt ?? Date.now()) - Date.now();

/** How long it is until this time of the service's clock. */
export function msUntil(time: number): number {
  return time - Date.now() - behindMs;
}

function countDown(place: HTMLElement, expiresAt: number): void {
  const leftSeconds = Math.max(0, Math.round(msUntil(expiresAt) / 1_000));
  const text = `${Math.floor(leftSeconds / 60)}:${String(leftSeconds % 60).padStart(2, '0')}`;
  const within = place.dataset.within ?? '';
  place.textContent = leftSeconds > 0 ? within.replace('{time}', text) : words.timeIsOver;
  if (leftSeconds > 0 && place.isConnected) setTimeout(countDown, 1_000, place, expiresAt);
}

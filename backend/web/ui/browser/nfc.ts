import { words } from './words.ts';

/** Web NFC, where the browser has it (Chrome on Android): https://w3c.github.io/web-nfc/ */
type NdefWriter = { write(message: { records: { recordType: 'url'; data: string }[] }): Promise<void> };
type WithNfc = { NDEFReader?: new () => NdefWriter };

/** Offers to write the payment URI to an NFC tag for the payer's wallet. */
export function offerTag(): void {
  const { NDEFReader } = globalThis as WithNfc;
  const button = document.querySelector<HTMLButtonElement>('[data-nfc]');
  if (!NDEFReader || !button) return;
  button.hidden = false;
  button.addEventListener('click', () => void write(new NDEFReader(), button));
}

async function write(writer: NdefWriter, button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  showNotice(words.tagHold);
  const outcome = await writer.write({ records: [{ recordType: 'url', data: button.dataset.nfc ?? '' }] }).then(
    () => words.tagWritten,
    () => words.tagFailed,
  );
  showNotice(outcome);
  button.disabled = false;
}

function showNotice(text: string): void {
  const place = document.getElementById('nfc-notice');
  if (!place) return;
  place.textContent = text;
  place.hidden = false;
}

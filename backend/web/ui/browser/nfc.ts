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
  showNotice('Hold a tag to the back of this device.');
  const outcome = await writer.write({ records: [{ recordType: 'url', data: button.dataset.nfc ?? '' }] }).then(
    () => 'Written. Hold the tag to the phone with the wallet.',
    () => 'Nothing was written. Switch NFC on and allow it for this page, or use the code above.',
  );
  showNotice(outcome);
  button.disabled = false;
}

function showNotice(words: string): void {
  const place = document.getElementById('nfc-notice');
  if (!place) return;
  place.textContent = words;
  place.hidden = false;
}

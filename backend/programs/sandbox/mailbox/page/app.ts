/** Loads the page again when a mail has arrived, so that what is read or focused stays until then. */
const lookEveryMs = 1_000;

async function look(): Promise<void> {
  const response = await fetch('/messages');
  const { messages } = (await response.json()) as { messages: readonly { id: string }[] };
  if ((messages[0]?.id ?? '') !== document.body.dataset.newest) location.reload();
}

setInterval(() => void look(), lookEveryMs);

export {};

import { kept } from './kept.ts';
import { element, type Page, post, show } from './pay.ts';
import { leaveForBank } from './way-back.ts';

/** The time limit that card schemes set for the method step. */
const methodMs = 10_000;

/** Sends the browser to the customer's bank: in a hidden frame first, then, if required, as a page. */
export function goToBank({ linkId, attempt, state }: Page): void {
  const form = element('bank');
  if (!(form instanceof HTMLFormElement) || attempt === undefined) return;
  if (form.dataset.method === 'true') lookedAt(form, { linkId, attempt });
  else {
    form.addEventListener('submit', () => leaveForBank(linkId));
    sendOnce(form, `bank:${attempt}:${state}`);
  }
}

function sendOnce(form: HTMLFormElement, sent: string): void {
  // Submit automatically only once: a customer who used the Back button decides what happens next.
  if (kept(() => sessionStorage.getItem(sent)) !== null) return;
  kept(() => sessionStorage.setItem(sent, 'sent'));
  // After the page has loaded; earlier the bank's page would replace it in the history.
  const leave = () => setTimeout(() => form.requestSubmit(), 0);
  if (document.readyState === 'complete') leave();
  else addEventListener('load', leave);
}

function lookedAt(form: HTMLFormElement, { linkId, attempt }: { linkId: string; attempt: string }): void {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name="bank-method"]');
  const skip = () => post(`/pay/${linkId}/skip-method`, { attempt }).then(() => show(linkId, attempt));
  const late = setTimeout(() => void skip(), methodMs);
  frame?.addEventListener('load', () => {
    if (!isOwnOrigin(frame)) return;
    clearTimeout(late);
    show(linkId, attempt);
  });
  form.submit();
}

/** Whether the frame has returned from the bank. */
function isOwnOrigin(frame: HTMLIFrameElement): boolean {
  try {
    return frame.contentWindow?.location.pathname.startsWith('/pay/') ?? false;
  } catch {
    // Still at the bank, whose pages are not readable.
    return false;
  }
}

import { showConnection } from '../../ui/browser/connection.ts';
import { msUntil } from '../../ui/browser/to-pay.ts';
import { element, type Page, post, readState, rememberAttempt, show } from './pay.ts';

const soonMs = 2_000;
const laterMs = 15_000;
/** The time of the page's own transfer, by which its clock is behind the service's. */
const expiryMarginMs = 500;
const underWay = new Set(['sending', 'checking', 'at_bank', 'at_bank_elsewhere', 'bitcoin']);

/** Whether the customer is typing a return destination. */
function isTyping(): boolean {
  const field = element('destination');
  return field instanceof HTMLInputElement && field.value !== '';
}

/** Reloads the page's content when its state changes or the link expires, and at once when the page becomes visible. */
export function followState(page: Page): void {
  const { linkId, attempt, state, progress, payUntil } = page;
  const everyMs = underWay.has(progress) ? soonMs : laterMs;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function lookLater(): void {
    clearTimeout(waiting);
    const leftMs = payUntil === undefined ? 0 : msUntil(payUntil);
    waiting = setTimeout(() => void look(), leftMs > 0 ? Math.min(everyMs, leftMs + expiryMarginMs) : everyMs);
  }

  async function look(): Promise<void> {
    clearTimeout(waiting);
    // A payment in progress on this page decides what is shown next.
    if (document.visibilityState === 'visible' && element('pay')?.dataset.busy !== 'true') {
      const answer = await readState(linkId, attempt);
      showConnection(answer !== undefined && answer.status < 500);
      const now = answer?.state;
      if (answer?.status === 404 || (now !== undefined && now !== state && !isTyping())) {
        show(linkId, attempt);
        return;
      }
    }
    // A concurrent check may have ended first.
    lookLater();
  }

  document.addEventListener('visibilitychange', () => void look());
  addEventListener('offline', () => showConnection(false));
  addEventListener('online', () => void look());
  addEventListener('pageshow', event => {
    // Restored from the back/forward cache after the bank's page.
    if (event.persisted) show(linkId, attempt);
  });
  lookLater();

  async function startAgain(): Promise<void> {
    await post(`/pay/${linkId}/abandon`, { attempt });
    rememberAttempt(linkId, undefined);
    show(linkId, undefined);
  }
  element('abandon')?.addEventListener('click', () => void startAgain());
}

import { showConnection } from '../../ui/browser/connection.ts';
import { element, type Page, post, readState, rememberAttempt, show } from './pay.ts';

const soonMs = 2_000;
const laterMs = 15_000;
const underWay = new Set(['sending', 'checking', 'at_bank', 'at_bank_elsewhere', 'bitcoin']);

/** Whoever is writing where to return money keeps what they wrote. */
function isTyping(): boolean {
  const field = element('destination');
  return field instanceof HTMLInputElement && field.value !== '';
}

/** Shows the page anew as soon as it would say something else; at once when a phone wakes up. */
export function followState(page: Page): void {
  const { linkId, attempt, state, progress } = page;
  const everyMs = underWay.has(progress) ? soonMs : laterMs;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    clearTimeout(waiting);
    // While the customer pays on this very page, that decides what is shown next.
    if (document.visibilityState === 'visible' && element('pay')?.dataset.busy !== 'true') {
      const answer = await readState(linkId, attempt);
      showConnection(answer !== undefined && answer.status < 500);
      const now = answer?.state;
      if (answer?.status === 404 || (now !== undefined && now !== state && !isTyping())) {
        show(linkId, attempt);
        return;
      }
    }
    // Another look may have ended first.
    clearTimeout(waiting);
    waiting = setTimeout(() => void look(), everyMs);
  }

  document.addEventListener('visibilitychange', () => void look());
  addEventListener('offline', () => showConnection(false));
  addEventListener('online', () => void look());
  addEventListener('pageshow', event => {
    // Back from the bank by the back button: the page is from memory.
    if (event.persisted) show(linkId, attempt);
  });
  waiting = setTimeout(() => void look(), everyMs);

  async function startAgain(): Promise<void> {
    await post(`/pay/${linkId}/abandon`, { attempt });
    rememberAttempt(linkId, undefined);
    show(linkId, undefined);
  }
  element('abandon')?.addEventListener('click', () => void startAgain());
}

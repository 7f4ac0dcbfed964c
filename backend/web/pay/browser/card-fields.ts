import { showConnection } from '../../ui/browser/connection.ts';
import { words } from '../../ui/browser/words.ts';
import {
  addressOf,
  element,
  newAttempt,
  type Page,
  post,
  readState,
  rememberAttempt,
  rememberedAttempt,
  show,
} from './pay.ts';

/** Long enough for an earlier request to arrive. */
const findOutAfterMs = 2_000;

type Message =
  | { readonly type: 'ready' | 'resized'; readonly height: number }
  | { readonly type: 'token'; readonly method: string; readonly paymentToken: string }
  | { readonly type: 'started' | 'submitted' | 'invalid' | 'cancelled' | 'failed' };

/** Shows the gateway's card fields in their frame. Card data never reaches this page, only a token. */
export function showCardFields(page: Page): void {
  const place = element('card-fields');
  const button = element('pay-card');
  if (!place || !(button instanceof HTMLButtonElement)) return;
  const url = new URL(place.dataset.url ?? '');
  url.searchParams.set('origin', location.origin);
  for (const name of ['wallets', 'shop', 'total']) url.searchParams.set(name, place.dataset[name] ?? '');
  url.searchParams.set('language', document.documentElement.lang);
  const frame = document.createElement('iframe');
  frame.title = words.cardFields;
  frame.allow = 'payment';
  frame.src = url.href;
  place.append(frame);
  element('card')?.removeAttribute('hidden');
  element('card-without-script')?.remove();
  const label = button.textContent ?? '';
  const isLost = isWithoutPayment(page);
  // A double press or a retry after a lost connection is the same payment.
  const attempt = (isLost ? page.attempt : undefined) ?? newAttempt();

  function setBusy(busy: boolean, doing = words.paying): void {
    if (!(button instanceof HTMLButtonElement)) return;
    button.disabled = busy;
    button.textContent = busy ? doing : label;
    const holder = element('pay');
    if (holder) holder.dataset.busy = String(busy);
    if (busy) element('card-problem')?.setAttribute('hidden', '');
  }

  function showProblem(text: string): void {
    const problem = element('card-problem');
    if (!problem) return;
    problem.textContent = text;
    problem.removeAttribute('hidden');
    setBusy(false);
  }

  function askForToken(): void {
    setBusy(true);
    frame.contentWindow?.postMessage({ type: 'tokenise' }, url.origin);
  }

  async function pay(method: string, paymentToken: string): Promise<void> {
    setBusy(true);
    // From here on the service decides, also for a reopened tab.
    rememberAttempt(page.linkId, attempt);
    const { width, height, colorDepth } = screen;
    const answer = await post(addressOf(`/pay/${page.linkId}/payments`, undefined), {
      attempt,
      method,
      paymentToken,
      amountInCents: page.amountMinor,
      browser: {
        userAgent: navigator.userAgent.slice(0, 400),
        language: navigator.language || 'en',
        timeZoneOffsetMinutes: new Date().getTimezoneOffset(),
        screen: `${width}x${height}x${colorDepth}`,
      },
    });
    const isRefused = answer?.status === 400 || answer?.status === 429;
    if (isRefused) showProblem(answer.status === 429 ? words.tooManyRequests : words.notMade);
    else if (answer === undefined || answer.status >= 500) findOut();
    else show(page.linkId, attempt);
  }

  /** Without a response the payment may exist: input stays disabled until the service reports its state. */
  function findOut(): void {
    showProblem(words.findingOut);
    setBusy(true, words.checking);
    element('card-problem')?.removeAttribute('hidden');
    place?.setAttribute('hidden', '');
    setTimeout(() => void ask(), findOutAfterMs);
  }

  async function ask(): Promise<void> {
    const answer = await readState(page.linkId, attempt);
    const didAnswer = answer !== undefined && answer.status < 500;
    showConnection(didAnswer);
    if (didAnswer) show(page.linkId, attempt);
    else setTimeout(() => void ask(), findOutAfterMs);
  }

  addEventListener('message', ({ source, origin, data }: MessageEvent<Message>) => {
    if (source !== frame.contentWindow || origin !== url.origin) return;
    switch (data.type) {
      case 'ready':
        element('card-loading')?.remove();
        button.disabled = false;
        frame.style.height = `${data.height}px`;
        break;
      case 'resized':
        frame.style.height = `${data.height}px`;
        break;
      case 'submitted':
        if (!button.disabled) askForToken();
        break;
      case 'started':
        setBusy(true, words.confirmInWallet);
        break;
      case 'invalid':
      case 'cancelled':
        setBusy(false);
        break;
      case 'failed':
        showProblem(words.providerUnreachable);
        break;
      case 'token':
        void pay(data.method, data.paymentToken);
        break;
    }
  });
  button.addEventListener('click', askForToken);
  if (isLost) showProblem(words.notArrived);
}

/**
 * Whether this browser sent a payment that the service does not have; a shared address contains no attempt of this
 * browser.
 */
function isWithoutPayment({ linkId, attempt, progress }: Page): boolean {
  return attempt !== undefined && progress === 'none' && attempt === rememberedAttempt(linkId);
}

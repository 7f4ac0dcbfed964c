import { isConnectionLost, showConnection } from '../../ui/browser/connection.ts';
import { offerPrint } from '../../ui/browser/print.ts';
import { helpToPay } from '../../ui/browser/to-pay.ts';
import { goBackByItself } from '../../ui/browser/way-back.ts';

/**
 * Keeps a checkout's open page up to date: by its event stream, by polling while the stream is broken, and at once when
 * the tab becomes visible. All content comes from the service.
 */
const isFinal = (status: string) => status !== 'PENDING' && status !== 'PROCESSING';
const pollMs = 5_000;
/** A browser does not reopen a stream that was refused, as it is while too many are open. */
const reopenMs = 30_000;
/** An ended checkout has no stream, but a late payment or a return can still change it. */
const pollEndedMs = 30_000;

const page = () => document.querySelector<HTMLElement>('#checkout');
const id = page()?.dataset.checkout;
/** The page as served, because this script changes the document. */
let served = page()?.outerHTML;
let lastPosted: string | undefined;
let stream: EventSource | undefined;
let underWay = false;
let askedAgain = false;

/** Replaces the page with its current content. A refresh requested meanwhile may bring newer content. */
async function refresh(): Promise<void> {
  if (underWay) {
    askedAgain = true;
    return;
  }
  underWay = true;
  do {
    askedAgain = false;
    await read();
  } while (askedAgain);
  underWay = false;
}

async function read(): Promise<void> {
  try {
    const response = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const [shown, fresh] = [page(), next.querySelector<HTMLElement>('#checkout')];
    if (shown && fresh && fresh.outerHTML !== served && !isBeingTyped(shown, fresh)) {
      served = fresh.outerHTML;
      shown.replaceWith(document.adoptNode(fresh));
      document.title = next.title;
      begin();
    }
    showConnection(response.ok);
  } catch (error) {
    showConnection(false);
    console.debug('could not load the page; retrying at the next poll or when the tab becomes visible', error);
  }
}

/** Keeps a return destination that the customer is typing. */
function isBeingTyped(shown: HTMLElement, fresh: HTMLElement): boolean {
  const field = shown.querySelector<HTMLInputElement>('#destination');
  return field !== null && fresh.querySelector('#destination') !== null && field.value !== '';
}

function follow(): void {
  stream?.close();
  if (isFinal(page()?.dataset.status ?? '')) return;
  stream = new EventSource(`/api/v1/checkout/subscribe?checkoutId=${id}`);
  stream.addEventListener('open', () => void refresh());
  stream.addEventListener('checkout-status-changed', () => void refresh());
}

/** Posts the status to the embedding page, only to origins that the business configured. */
function notifyParent(): void {
  const { checkout: checkoutId, status, origins = '' } = page()?.dataset ?? {};
  if (window.parent === window || status === lastPosted) return;
  lastPosted = status;
  for (const origin of origins.split(' ').filter(one => one !== ''))
    window.parent.postMessage({ source: 'florin-checkout', checkoutId, status }, origin);
}

/** Activates newly inserted content. */
function begin(): void {
  helpToPay();
  offerPrint();
  notifyParent();
  goBackByItself();
  if (isFinal(page()?.dataset.status ?? '')) stream?.close();
}

if (id !== undefined) {
  begin();
  follow();
  addEventListener('offline', () => showConnection(false));
  addEventListener('online', () => void refresh());
  setInterval(() => {
    const isBroken = stream?.readyState !== EventSource.OPEN || isConnectionLost();
    if (document.visibilityState === 'visible' && isBroken && !isFinal(page()?.dataset.status ?? '')) void refresh();
  }, pollMs);
  setInterval(() => {
    if (document.visibilityState === 'visible' && stream?.readyState === EventSource.CLOSED) follow();
  }, reopenMs);
  setInterval(() => {
    if (document.visibilityState === 'visible' && isFinal(page()?.dataset.status ?? '')) void refresh();
  }, pollEndedMs);
  addEventListener('focus', () => void refresh());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    void refresh();
    // A browser that slept may consider a dead connection open.
    follow();
  });
}

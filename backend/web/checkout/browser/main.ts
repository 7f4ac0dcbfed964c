import { isConnectionLost, showConnection } from '../../ui/browser/connection.ts';
import { offerPrint } from '../../ui/browser/print.ts';
import { helpToPay } from '../../ui/browser/to-pay.ts';
import { goBackByItself } from '../../ui/browser/way-back.ts';

/**
 * Keeps the page of a checkout true while it is open: by its stream, by asking from time to time where that is broken, and at once
 * when the tab is looked at again. What there is to see comes from the service as it would without this script.
 */
const isFinal = (status: string) => status !== 'PENDING' && status !== 'PROCESSING';
const pollMs = 5_000;
/** What has ended has no stream: a payment may still come late, and what is owed be returned. */
const pollEndedMs = 30_000;

const page = () => document.querySelector<HTMLElement>('#checkout');
const id = page()?.dataset.checkout;
/** What is shown, as the service gave it: this script changes what is in the document. */
let served = page()?.outerHTML;
let lastPosted: string | undefined;
let stream: EventSource | undefined;
let underWay = false;
let askedAgain = false;

/** Puts the page as it is now in place of what is shown. What is asked for meanwhile may be newer than what is being read. */
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
    console.debug(
      'the page could not be read; it is tried again at the next poll, or when the tab is shown again',
      error,
    );
  }
}

/** Whoever is writing where to return money keeps what they wrote. */
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

/** Posts the status to the page that embeds this one; each message goes to one origin that the business named, and to no other. */
function notifyParent(): void {
  const { checkout: checkoutId, status, origins = '' } = page()?.dataset ?? {};
  if (window.parent === window || status === lastPosted) return;
  lastPosted = status;
  for (const origin of origins.split(' ').filter(one => one !== ''))
    window.parent.postMessage({ source: 'florin-checkout', checkoutId, status }, origin);
}

/** For what was just put into the page. */
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
    if (document.visibilityState === 'visible' && isFinal(page()?.dataset.status ?? '')) void refresh();
  }, pollEndedMs);
  addEventListener('focus', () => void refresh());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    void refresh();
    // A browser that slept may take a dead connection for an open one.
    follow();
  });
}

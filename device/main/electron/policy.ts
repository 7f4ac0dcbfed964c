/**
 * What the terminal's window may do, as functions without Electron so that they can be tested. Everything not listed is
 * refused.
 */

/** A separate origin for the page, shared with nothing on disk or on the network. */
export const pageScheme = 'florin';
export const pageUrl = `${pageScheme}://terminal/`;
/** The page as the customer's display. */
export const displayUrl = `${pageUrl}#display=customer`;

/** Whether a frame shows the terminal's page. */
export function isOwnPage(url: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(url);
    return protocol === `${pageScheme}:` && host === 'terminal' && username === '' && password === '';
  } catch {
    return false;
  }
}

/** Only reloading the page is allowed. */
export function mayNavigate(url: string): boolean {
  return isOwnPage(url);
}

export type Sender = {
  readonly url: string;
  /** A frame inside the page has a parent; only the page itself may send messages. */
  readonly isMainFrame: boolean;
  /** The own window that sent it: the terminal's, or the one that shows the customer's display. */
  readonly window: 'terminal' | 'display' | undefined;
};

/** Only the terminal's page in an own window, and no frame inside it. The customer's display watches and does nothing. */
export function mayUseChannel(channel: 'action' | 'watch', sender: Sender): boolean {
  const isOwn = sender.window === 'terminal' || (channel === 'watch' && sender.window === 'display');
  return isOwn && sender.isMainFrame && isOwnPage(sender.url);
}

/** For a BrowserWindow. Every secure setting is explicit, so that no default of a later version can change it. */
export function webPreferences(preload: string) {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    // Typed text must not be offered again by the browser engine.
    disableDialogs: true,
  } as const;
}

/** Sent with every file of the page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export type KeyPress = {
  readonly key: string;
  readonly control: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
};

/** Keys that leave, reload or inspect the page. Kiosk mode disables them; editing keys keep working. */
export function isKeptFromKiosk({ key, control, meta, alt }: KeyPress): boolean {
  if (/^F\d{1,2}$/.test(key)) return true;
  if (alt) return ['F4', 'Tab', 'ArrowLeft', 'ArrowRight', 'Home', ' '].includes(key);
  const editing = ['a', 'c', 'v', 'x', 'z', 'ArrowLeft', 'ArrowRight', 'Backspace', 'Delete', 'Home', 'End'];
  return (control || meta) && !editing.includes(key.length === 1 ? key.toLowerCase() : key);
}

const firstDelayMs = 250;
const maxDelayMs = 30_000;
const resetAfterMs = 60_000;

const failsAtOnceMs = 10_000;

/** Whether a program that failed is launched again: not one that fails at each launch. */
export function isLaunchedAgain({ ranForMs }: { readonly ranForMs: number }): boolean {
  return ranForMs >= failsAtOnceMs;
}

/** The delay before a crashed page is reloaded: none at first, longer if it keeps crashing. */
export function restartDelays(now: () => number): () => number {
  let crashes = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - last > resetAfterMs) crashes = 0;
    last = now();
    const delayMs = Math.min(firstDelayMs * 2 ** crashes, maxDelayMs);
    crashes += 1;
    return delayMs;
  };
}

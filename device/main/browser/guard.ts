import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Admits only the page this host served: on the host name it listens on, with this terminal's token. A page from
 * another origin, or a host name that resolves to 127.0.0.1, is refused.
 */
export interface Guard {
  /** Against DNS rebinding: an unexpected Host header means that the page came from another name. */
  isOwnHost(request: IncomingMessage): boolean;
  /** For the socket: browsers always send the page's origin. */
  isOwnOrigin(request: IncomingMessage): boolean;
  /** What a page with this token may do: everything, or only show the customer's display. Undefined: the token is wrong. */
  pageOf(token: string): 'terminal' | 'display' | undefined;
}

/** The port is read at every request, because it is known only once the host listens. */
export function createGuard(options: { port: () => number; token: string; displayToken: string }): Guard {
  const hosts = () => [`127.0.0.1:${options.port()}`, `localhost:${options.port()}`];
  const isToken = (given: string, token: string) => {
    const [bytes, expected] = [Buffer.from(given, 'utf8'), Buffer.from(token, 'utf8')];
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  };
  return {
    isOwnHost: request => hosts().includes((request.headers.host ?? '').toLowerCase()),
    isOwnOrigin: request => hosts().some(host => request.headers.origin === `http://${host}`),
    pageOf(given) {
      if (isToken(given, options.token)) return 'terminal';
      return isToken(given, options.displayToken) ? 'display' : undefined;
    },
  };
}

/** Sent with every response: only this host's own files may run, and no page may frame them. */
export function securityHeaders(port: number): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
  };
}

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Who may talk to the loopback host: the page it served itself, on the name it listens on, with the token of
 * this terminal. A page from elsewhere in the same browser, or a name that was made to point at 127.0.0.1, gets nothing.
 */
export interface Guard {
  /** Against DNS rebinding: a foreign name in Host means that the page came from there. */
  isOwnHost(request: IncomingMessage): boolean;
  /** For the socket: browsers always say where the page is from. */
  isOwnOrigin(request: IncomingMessage): boolean;
  isToken(given: string): boolean;
}

export function createGuard(options: { port: () => number; token: string }): Guard {
  const hosts = () => [`127.0.0.1:${options.port()}`, `localhost:${options.port()}`];
  const token = Buffer.from(options.token, 'utf8');
  return {
    isOwnHost: request => hosts().includes((request.headers.host ?? '').toLowerCase()),
    isOwnOrigin: request => hosts().some(host => request.headers.origin === `http://${host}`),
    isToken(given) {
      const bytes = Buffer.from(given, 'utf8');
      return bytes.length === token.length && timingSafeEqual(bytes, token);
    },
  };
}

/** Sent with everything: nothing but this host's own files runs, and nothing frames it. */
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

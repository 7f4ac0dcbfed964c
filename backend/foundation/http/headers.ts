import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** The default for responses: they are private to their caller and must not be cached. */
export const notCached = ['Cache-Control', 'no-store'];

/** Kept by its caller alone, and only used after asking whether it is still current. */
export const revalidated = ['Cache-Control', 'private, no-cache'];

/** Named after its content, so that it never changes. */
export const keptForGood = ['Cache-Control', 'public, max-age=31536000, immutable'];

/** On a response to an earlier call with the same Idempotency-Key. */
export const replayed = ['Idempotency-Replayed', 'true'] as const;

/** For responses other than pages: nothing may be loaded, and no page may frame them. */
export const apiPolicy = "default-src 'none';frame-ancestors 'none'";

/**
 * The security headers that helmet sets for an API, computed once: they are the same for every response, and thirteen
 * middlewares per request would cost more than the rest of the HTTP layer.
 */
export function securityHeaders(): readonly string[] {
  const headers: string[] = [];
  const recorder = {
    setHeader: (name: string, value: string) => void headers.push(name, value),
    removeHeader: () => {},
  };
  const protect = helmet({
    // Depends on what is served: see apiPolicy.
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    // Headers that apply only to pages: links, downloads, plug-ins, windows and scripts.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xXssProtection: false,
  });
  protect({} as IncomingMessage, recorder as unknown as ServerResponse, error => {
    if (error) throw new Error('the security headers cannot be worked out', { cause: error });
  });
  return headers;
}

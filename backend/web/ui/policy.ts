export type PolicyOptions = {
  /** Origins whose pages may be shown inside this one. */
  readonly frames?: readonly string[];
  /** Origins that forms of this page may be sent to, beside our own. */
  readonly formTargets?: readonly string[];
  /** Origins that may show this page inside theirs. */
  readonly ancestors?: readonly string[];
};

/** What a page may load, and where it may be shown: from us alone, and in nobody's frame, unless it says so. */
export function contentSecurityPolicy({ frames = [], formTargets = [], ancestors = [] }: PolicyOptions = {}): string {
  const listed = (origins: readonly string[]) => (origins.length === 0 ? "'none'" : origins.join(' '));
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${listed(frames)}`,
    `form-action ${listed(["'self'", ...formTargets])}`,
    "base-uri 'none'",
    `frame-ancestors ${listed(ancestors)}`,
  ].join(';');
}

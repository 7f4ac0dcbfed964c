export type PolicyOptions = {
  /** Origins that this page may frame. */
  readonly frames?: readonly string[];
  /** Origins that forms of this page may be sent to, besides our own. */
  readonly formTargets?: readonly string[];
  /** Origins that may frame this page. */
  readonly ancestors?: readonly string[];
  /** The one script and the one style that are in the page itself, by their hashes; instead of those of our origin. */
  readonly inline?: { readonly script: string; readonly style: string };
};

/** The Content-Security-Policy of a page; by default its own origin only, and no framing. */
export function contentSecurityPolicy({
  frames = [],
  formTargets = [],
  ancestors = [],
  inline,
}: PolicyOptions = {}): string {
  const listed = (origins: readonly string[]) => (origins.length === 0 ? "'none'" : origins.join(' '));
  return [
    "default-src 'none'",
    `script-src ${inline?.script ?? "'self'"}`,
    `style-src ${inline?.style ?? "'self'"}`,
    "img-src 'self' data:",
    ...(inline ? [] : ["font-src 'self'"]),
    "connect-src 'self'",
    `frame-src ${listed(frames)}`,
    `form-action ${listed(["'self'", ...formTargets])}`,
    "base-uri 'none'",
    `frame-ancestors ${listed(ancestors)}`,
  ].join(';');
}

/** Node.js error codes of failures before the first byte is sent; browsers do not report them. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether a failed HTTP call certainly never left this machine, so that it may be repeated. */
export function neverSent(failure: unknown): boolean {
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    // With several addresses, each attempt must have failed or timed out before connecting.
    if (cause instanceof AggregateError && cause.errors.length > 0)
      return cause.errors.every(attempt => neverSent(attempt) || codeOf(attempt) === 'ETIMEDOUT');
    if (beforeSending.has(codeOf(cause))) return true;
  }
  return false;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

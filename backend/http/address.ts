import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';

/** Reads where a request comes from: the address of the socket, or what a trusted proxy reports in X-Forwarded-For. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return request => proxyAddress(request, isTrusted) ?? 'unknown';
}

import type { IncomingMessage } from 'node:http';

/** The value of a cookie of the request, as it was sent; undefined if there is none. */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const pairs = headers.cookie?.split(';').map(pair => pair.trim()) ?? [];
  return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

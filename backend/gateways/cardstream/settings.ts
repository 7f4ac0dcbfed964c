import { isLoopback } from '../address.ts';
import { publicSecrets } from './test-account.ts';

/** The gateway's address without a trailing Direct interface path. */
export function baseUrlOf(address: string): string {
  return address.replace(/(\/+direct)?\/*$/, '');
}

/** Why `secret` is refused for the gateway at `url`; undefined if it may be used. */
export function secretProblem({ url, secret }: { url: string; secret: string }): string | undefined {
  if (isLoopback(url) || !publicSecrets.has(secret)) return undefined;
  return 'belongs to the sandbox and is refused for any other gateway';
}

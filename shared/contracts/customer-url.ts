/** Why customers must not be redirected to this address; undefined if they may be. */
export function customerUrlProblem(text: string, options: { readonly allowLoopback: boolean }): string | undefined {
  if (text.includes('\\')) return 'must not have a backslash';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must be an https address';
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return 'must not contain a user name or password';
  const url = URL.parse(text);
  if (url === null) return 'must be an https address';
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(options.allowLoopback && isLoopback)) return 'must be an https address';
  return undefined;
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return loopbackHost.test(URL.parse(address)?.hostname ?? '');
}

/** Why requests with card data and signatures must not be sent to this address; undefined if they may. */
export function addressProblem(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  if (/\/direct\/+direct\/*$/i.test(url.pathname)) return 'must name /direct/ once at most';
  if (url.protocol === 'http:' && !isLoopback(address)) return 'must use https, unless it is on this machine';
  if (/[?#]/.test(address)) return 'must be an address without a query';
  return undefined;
}

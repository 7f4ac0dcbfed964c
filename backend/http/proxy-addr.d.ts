declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  type Trust = (address: string, distance: number) => boolean;
  /** The farthest address that only trusted ones vouch for; none when the connection has gone. */
  function proxyAddress(request: IncomingMessage, trust: Trust): string | undefined;
  namespace proxyAddress {
    /** Addresses, networks, or the names `loopback`, `linklocal` and `uniquelocal`. */
    function compile(trusted: string[]): Trust;
  }
  export default proxyAddress;
}

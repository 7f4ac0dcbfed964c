import ipaddr from 'ipaddr.js';

/**
 * What an address is counted under: itself, or for IPv6 its network of 64 bits, which is the least that one customer of a
 * provider has to choose addresses from.
 */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.fromByteArray([...parsed.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)]).toString()}/64`;
}

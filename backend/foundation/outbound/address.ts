import ipaddr from 'ipaddr.js';

/** The addresses that merchants' URLs may have. */
export type AddressPolicy = {
  /** Also this machine, and http. For demo, sandbox and tests. */
  readonly allowLoopback: boolean;
  /** Also private addresses, over https only. For a service in the merchant's own network. */
  readonly allowPrivate?: boolean;
};

/** Names without a public host, and DNS services that map a name to any address. */
const refusedNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion|nip\.io|sslip\.io|xip\.io|traefik\.me|localtest\.me|lvh\.me|vcap\.me)$/;

/** Cloud metadata addresses outside the known ranges: Azure, Alibaba, AWS. */
const refusedAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);
const privateRanges = new Set<string>(['private', 'carrierGradeNat', 'uniqueLocal']);

/** Publicly routed IPv6. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

type Range = 'public' | 'private' | 'loopback' | 'refused';

/** The range of an address by its bytes; IPv4 inside IPv6 counts as that IPv4 address. */
function rangeOf(address: string): Range {
  // ipaddr.js parses ::1.2.3.4 as ::ffff:1.2.3.4; in hexadecimal groups they differ.
  const url = address.includes(':') ? URL.parse(`https://[${address}]`) : null;
  const text = url === null ? address : hostOf(url);
  if (!ipaddr.isValid(text) || text.includes('%')) return 'refused';
  const parsed = ipaddr.process(text);
  if (parsed.range() === 'loopback') return 'loopback';
  if (refusedAddresses.has(parsed.toString())) return 'refused';
  if (privateRanges.has(parsed.range())) return 'private';
  if (parsed.range() !== 'unicast') return 'refused';
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast) ? 'public' : 'refused';
}

/** Whether a connection to this IP address may be made. */
export function mayConnectTo(address: string, { allowLoopback, allowPrivate = false }: AddressPolicy): boolean {
  switch (rangeOf(address)) {
    case 'public':
      return true;
    case 'private':
      return allowPrivate;
    case 'loopback':
      return allowLoopback;
    case 'refused':
      return false;
  }
}

/** The host to connect to: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Whether the port is all that keeps this text from being a URL. */
function isPortTooLarge(text: string): boolean {
  return URL.canParse(text.replace(/^(https?:\/\/[^/?#]*):\d+(?=[/?#]|$)/i, '$1'));
}

/**
 * Why nothing is sent to this URL, judging by its text; undefined if it is acceptable. URL has normalised decimal,
 * octal and hexadecimal hosts to dotted addresses.
 */
export function urlProblem(text: string, policy: AddressPolicy): string | undefined {
  const url = URL.parse(text);
  // Some parsers treat it as a slash, others as part of the user name.
  if (text.includes('\\')) return 'must not have a backslash';
  if (url === null) return isPortTooLarge(text) ? 'must have a port up to 65535' : 'must be an https address';
  // URL supplies the slashes that are missing and drops those too many; other parsers see another host, or none.
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must be an https address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  const host = hostOf(url);
  const isAddress = ipaddr.isValid(host);
  if (policy.allowLoopback && (host === 'localhost' || (isAddress && rangeOf(host) === 'loopback'))) return undefined;
  if (url.protocol !== 'https:') return 'must be an https address';
  if (url.port !== '' && Number(url.port) < 1024) return 'must use port 443, or one from 1024';
  if (isAddress) return mayConnectTo(host, policy) ? undefined : 'must be a public address';
  if (host.endsWith('.')) return 'must not have a host name that ends with a dot';
  const isPrivateName = !host.includes('.') || refusedNames.test(host);
  return isPrivateName && !policy.allowPrivate ? 'must be a public address' : undefined;
}

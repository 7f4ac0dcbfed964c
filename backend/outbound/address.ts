import ipaddr from 'ipaddr.js';

/** Which addresses merchants may have us send to. */
export type AddressPolicy = {
  /** For demo, sandbox and tests: this machine too, and by http. */
  readonly allowLoopback: boolean;
  /** For a service in the merchant's own network: private addresses too, by https alone. */
  readonly allowPrivate?: boolean;
};

/** Names that no public host has, and services that make a name of any address. */
const refusedNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|onion|nip\.io|sslip\.io|xip\.io|traefik\.me|localtest\.me|lvh\.me|vcap\.me)$/;

/** Metadata addresses of clouds that no range covers: Azure, Alibaba, AWS. */
const refusedAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);
const privateRanges = new Set<string>(['private', 'carrierGradeNat', 'uniqueLocal']);

/** IPv6 that is routed on the public internet. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

type Range = 'public' | 'private' | 'loopback' | 'refused';

/** What kind of address this is, by its bytes: IPv4 inside IPv6 counts as the IPv4 address it leads to. */
function rangeOf(address: string): Range {
  // ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4; written in groups they differ.
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

/** The host of a URL as a connection is made to it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Why nothing is sent to this URL, as far as its text tells; undefined when it may be. URL has parsed it: decimal, octal
 * and hexadecimal hosts are dotted addresses by now.
 */
export function urlProblem(text: string, policy: AddressPolicy): string | undefined {
  const url = URL.parse(text);
  // Read as a slash by some and as a part of the user name by others.
  if (text.includes('\\')) return 'must not have a backslash';
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an https address';
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
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

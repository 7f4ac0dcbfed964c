import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * A second implementation of the Direct interface's wire format, written independently of the adapter's, so that
 * agreement on golden bytes is meaningful.
 */
export type Fields = Map<string, string>;

const maxFields = 255;
export const maxBodyBytes = 256 * 1024;

/** The fields of a request; undefined if the body is malformed, repeats a field or has too many. */
export function parseFields(body: string): Fields | undefined {
  const pairs = body.split('&');
  if (body === '' || pairs.length > maxFields) return undefined;
  const fields: Fields = new Map();
  for (const pair of pairs) {
    const [name, ...rest] = pair.split('=');
    const key = decode(name ?? '');
    const value = decode(rest.join('='));
    if (!key || value === undefined || rest.length === 0 || fields.has(key)) return undefined;
    fields.set(key, value);
  }
  return fields;
}

/** The urlencoded body of a reply, signed with the merchant's secret. */
export function signedReply(fields: Fields, secret: string): string {
  return serialise([...fields, ['signature', sign(fields, secret)]]);
}

/** The body of a reply with its fields as they are: for requests of unknown merchants, and for signature faults. */
export function unsignedReply(fields: Fields): string {
  return serialise([...fields]);
}

/**
 * The signature in hexadecimal: SHA-512 of the sorted, urlencoded fields and the secret. A `signature` among the fields
 * is left out.
 */
export function sign(fields: Fields, secret: string): string {
  const sorted = [...fields]
    .filter(([name]) => name !== 'signature')
    .map(([name, value], position) => ({ root: name.split('[')[0] ?? name, position, name, value }))
    .sort((a, b) => (a.root < b.root ? -1 : a.root > b.root ? 1 : a.position - b.position));
  const text = serialise(sorted.map(({ name, value }) => [name, value])).replace(/%0D%0A|%0A%0D|%0D/g, '%0A');
  return createHash('sha512')
    .update(text + secret)
    .digest('hex');
}

/** False also for fields without a signature. The comparison takes constant time. */
export function isSignedWith(fields: Fields, secret: string): boolean {
  const given = Buffer.from(fields.get('signature') ?? '');
  const expected = Buffer.from(sign(fields, secret));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function serialise(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\+/g, '%20'));
  } catch {
    return undefined;
  }
}

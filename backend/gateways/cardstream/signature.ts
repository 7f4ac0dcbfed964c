import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The wire form of Cardstream's Direct interface and its signature. Fields keep wire order and their original bytes:
 * re-encoding decoded text would fail on any reply that is not clean UTF-8.
 */
export type WireField = {
  readonly name: string;
  readonly value: string;
  /** `name=value` in the canonical encoding that signatures cover. */
  readonly canonical: string;
};

export type SignatureCheck = 'valid' | 'missing' | 'partial' | 'wrong';

/** A request field: line breaks become LF, because implementations hash CR sequences differently. */
export function wireField(name: string, value: string | number): WireField {
  const text = String(value).replace(/\r\n|\n\r|\r/g, '\n');
  return {
    name,
    value: text,
    canonical: `${encodeBytes(Buffer.from(name, 'utf8'))}=${encodeBytes(Buffer.from(text, 'utf8'))}`,
  };
}

/** Fields of a urlencoded body in wire order; undefined if it is malformed or names a field twice. */
export function parseBody(body: Buffer): readonly WireField[] | undefined {
  const text = body.toString('latin1');
  if (text === '') return undefined;
  const fields: WireField[] = [];
  const names = new Set<string>();
  for (const pair of text.split('&')) {
    const separator = pair.indexOf('=');
    if (separator < 1) return undefined;
    const name = decodeBytes(pair.slice(0, separator));
    const value = decodeBytes(pair.slice(separator + 1));
    if (name === undefined || value === undefined || names.has(name.toString('latin1'))) return undefined;
    names.add(name.toString('latin1'));
    fields.push({
      name: name.toString('utf8'),
      value: value.toString('utf8'),
      canonical: `${encodeBytes(name)}=${encodeBytes(value)}`,
    });
  }
  return fields;
}

/** A request body: its fields followed by their signature. */
export function signedBody(fields: readonly WireField[], secret: string): string {
  return [...fields.map(field => field.canonical), `signature=${signatureOf(fields, secret)}`].join('&');
}

/** Lower-case hex SHA-512 over the sorted fields without the signature, with the secret appended. */
export function signatureOf(fields: readonly WireField[], secret: string): string {
  const signed = fields
    .filter(field => field.name !== 'signature')
    .map(field => ({ root: Buffer.from(rootOf(field.name), 'utf8'), canonical: field.canonical }))
    // Array.sort is stable, so fields of one root keep their wire order.
    .sort((one, other) => Buffer.compare(one.root, other.root))
    .map(field => field.canonical)
    .join('&')
    .replace(/%0D%0A|%0A%0D|%0D/g, '%0A');
  return createHash('sha512').update(signed).update(secret, 'utf8').digest('hex');
}

/**
 * Whether a reply carries the signature of all its fields. A partial signature (`hash|names`) is refused, because
 * uncovered fields could be changed.
 */
export function checkSignature(fields: readonly WireField[], secret: string): SignatureCheck {
  const given = fields.find(field => field.name === 'signature')?.value;
  if (given === undefined || given === '') return 'missing';
  if (given.includes('|')) return 'partial';
  const expected = Buffer.from(signatureOf(fields, secret), 'utf8');
  const received = Buffer.from(given, 'utf8');
  return received.length === expected.length && timingSafeEqual(received, expected) ? 'valid' : 'wrong';
}

function rootOf(name: string): string {
  const bracket = name.indexOf('[');
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** RFC 1738 as in PHP's http_build_query: only letters, digits and `-_.` are unencoded, a space is a plus. */
function encodeBytes(bytes: Buffer): string {
  let encoded = '';
  for (const byte of bytes) {
    if (byte === 0x20) encoded += '+';
    else if (isBare(byte)) encoded += String.fromCharCode(byte);
    else encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

function isBare(byte: number): boolean {
  const digit = byte >= 0x30 && byte <= 0x39;
  const letter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  return digit || letter || byte === 0x2d || byte === 0x2e || byte === 0x5f;
}

function decodeBytes(text: string): Buffer | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const unescaped = text
    .replace(/\+/g, ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, 'latin1');
}

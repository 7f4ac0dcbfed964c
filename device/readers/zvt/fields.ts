/** Fields of a message, each behind its number ("bitmap"), and the container of tagged values that one of them is. */

/** Bytes of the fields of a fixed length. */
const fixed = lengthsOf(`
  01:1 02:1 03:1 04:6 05:1 0B:3 0C:3 0D:2 0E:2 17:2 19:1 27:1 29:4 2A:15 37:3 3A:2 3B:8 3D:3 49:2 87:2 88:3 8A:1 8C:1
  A0:1 AA:3 BA:5 D0:1 D2:1 D3:1 E0:1 E9:1 EA:1 EB:8 F0:1 F9:1 FA:1 FB:1 FC:1 FD:1`);
/** Digits of the length before the fields of a variable length; each digit is the low half of a byte F0 to F9. */
const counted = lengthsOf(`
  22:2 23:2 24:3 2D:2 2E:3 3C:3 4C:2 60:3 8B:2 9A:3 A7:2 AF:3 D1:2 E1:2 E2:2 E3:2 E4:2 E5:2 E6:2 E7:2 E8:2 F1:2 F2:2
  F3:2 F4:2 F5:2 F6:2 F7:2 F8:2`);
const container = 0x06;
const maxDepth = 8;

export type Tagged = { readonly tag: number; readonly value: Buffer; readonly inner: readonly Tagged[] };
export type Fields = {
  readonly values: ReadonlyMap<number, Buffer>;
  readonly tagged: readonly Tagged[];
  /** False if the rest could not be read: a field of unknown length, or one that is cut off. */
  readonly isWhole: boolean;
};

function lengthsOf(table: string): ReadonlyMap<number, number> {
  const entries = table.trim().split(/\s+/);
  return new Map(entries.map(entry => [Number.parseInt(entry, 16), Number(entry.slice(3))]));
}

/** Reads fields up to the first that cannot be read. Of a field that comes twice, the first counts. */
export function readFields(data: Buffer): Fields {
  const values = new Map<number, Buffer>();
  let tagged: readonly Tagged[] = [];
  for (let at = 0; at < data.length; ) {
    const number = data[at] ?? 0;
    const extent = extentOf(number, data, at + 1);
    if (extent === undefined || extent.end > data.length) return { values, tagged, isWhole: false };
    const value = data.subarray(extent.start, extent.end);
    if (number === container) tagged = readTagged(value, 0);
    if (!values.has(number)) values.set(number, value);
    at = extent.end;
  }
  return { values, tagged, isWhole: true };
}

function extentOf(number: number, data: Buffer, at: number): { start: number; end: number } | undefined {
  if (number === container) return taggedExtent(data, at);
  const length = fixed.get(number);
  if (length !== undefined) return { start: at, end: at + length };
  const digits = counted.get(number);
  return digits === undefined ? undefined : countedExtent(data, at, digits);
}

/** Where a value lies whose length precedes it in `digits` decimal digits; undefined if that is not a length. */
export function countedExtent(data: Buffer, at: number, digits: number): { start: number; end: number } | undefined {
  let length = 0;
  for (let index = at; index < at + digits; index++) {
    const byte = data[index] ?? 0;
    if (byte < 0xf0 || byte > 0xf9) return undefined;
    length = length * 10 + (byte & 0x0f);
  }
  return { start: at + digits, end: at + digits + length };
}

function taggedExtent(data: Buffer, at: number): { start: number; end: number } | undefined {
  const first = data[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 1, end: at + 1 + first };
  if (first === 0x81) return { start: at + 2, end: at + 2 + (data[at + 1] ?? 0xff) };
  if (first !== 0x82 || at + 2 >= data.length) return undefined;
  return { start: at + 3, end: at + 3 + data.readUInt16BE(at + 1) };
}

function readTagged(data: Buffer, depth: number): readonly Tagged[] {
  const found: Tagged[] = [];
  for (let at = 0; at < data.length; ) {
    const isConstructed = ((data[at] ?? 0) & 0x20) !== 0;
    let tag = data[at] ?? 0;
    let next = at + 1;
    if ((tag & 0x1f) === 0x1f) {
      tag = (tag << 8) | (data[next] ?? 0);
      next += 1;
    }
    const extent = taggedExtent(data, next);
    if (extent === undefined || extent.end > data.length) return found;
    const value = data.subarray(extent.start, extent.end);
    found.push({ tag, value, inner: isConstructed && depth < maxDepth ? readTagged(value, depth + 1) : [] });
    at = extent.end;
  }
  return found;
}

/** The first value of this tag, at any depth. */
export function taggedValue(tagged: readonly Tagged[], tag: number): Buffer | undefined {
  for (const one of tagged) {
    const value = one.tag === tag ? one.value : taggedValue(one.inner, tag);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A container field with the given tagged values; a value is bytes, or tagged values itself. */
export function containerField(...tagged: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(tagged);
  return Buffer.concat([Buffer.from([container, ...lengthBytes(content.length)]), content]);
}

/** One tagged value of a container. */
export function taggedBytes(tag: number, value: Uint8Array): Buffer {
  const name = tag > 0xff ? [tag >>> 8, tag & 0xff] : [tag];
  return Buffer.from([...name, ...lengthBytes(value.length), ...value]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >>> 8, length & 0xff];
}

/** Decimal digits, two to a byte, with leading zeros. */
export function packedDigits(digits: string | number, bytes: number): Buffer {
  return Buffer.from(String(digits).padStart(bytes * 2, '0'), 'hex');
}

/** Undefined if the bytes hold anything but decimal digits. */
export function digitsOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const digits = Buffer.from(bytes).toString('hex');
  return /^\d+$/.test(digits) ? digits : undefined;
}

const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';

/** Text in code page 437, which is the protocol's usual one. Control characters are left out. */
export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte =>
    byte >= 0x80 ? (upperHalf[byte - 0x80] ?? '') : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '',
  ).join('');
}

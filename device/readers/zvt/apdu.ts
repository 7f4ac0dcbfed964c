/**
 * One message: a control field of two bytes, the length of the data, and the data. A length above 254 is FF and two bytes,
 * the low one first.
 */
export type Apdu = { readonly control: number; readonly data: Buffer };

const extended = 0xff;

/** @throws RangeError for more than 65535 bytes of data, which no command has */
export function encodeApdu(control: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  if (data.length > 0xffff) throw new RangeError('too much data for one APDU');
  const length = data.length < extended ? [data.length] : [extended, data.length & 0xff, data.length >>> 8];
  return Buffer.from([control >>> 8, control & 0xff, ...length, ...data]);
}

/** The length of the APDU that begins with these bytes; undefined until enough of it has arrived. */
export function lengthOfApdu(bytes: Uint8Array): number | undefined {
  const [, , short, low, high] = bytes;
  if (short === undefined) return undefined;
  if (short !== extended) return 3 + short;
  return low === undefined || high === undefined ? undefined : 5 + low + (high << 8);
}

/** Undefined unless the bytes are exactly one APDU. */
export function decodeApdu(bytes: Buffer): Apdu | undefined {
  if (lengthOfApdu(bytes) !== bytes.length) return undefined;
  return { control: bytes.readUInt16BE(0), data: bytes.subarray(bytes[2] === extended ? 5 : 3) };
}

/**
 * Bytes of ZVT as the simulated reader makes and reads them, after the published protocol. Written apart from the
 * terminal's driver: both are checked against public examples.
 */

export const ACK = 0x06;
export const NAK = 0x15;
const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;

const crcTable = Uint16Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let step = 0; step < 8; step++) value = value % 2 === 1 ? (value >> 1) ^ 0x8408 : value >> 1;
  return value;
});

/** CRC-16 as in ITU-T V.41 with the low bit first, from 0. */
function crc16(bytes: Uint8Array): number {
  return bytes.reduce((crc, byte) => (crc >> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0), 0);
}

/** A whole block around an APDU. */
export function wrap(apdu: Buffer): Buffer {
  const crc = crc16(Buffer.concat([apdu, Buffer.from([ETX])]));
  const inner: number[] = [];
  for (const byte of apdu) {
    inner.push(byte);
    if (byte === DLE) inner.push(DLE);
  }
  return Buffer.from([DLE, STX, ...inner, DLE, ETX, crc % 256, crc >> 8]);
}

export type Unwrapped = { readonly kind: 'apdu'; readonly apdu: Buffer } | { readonly kind: 'ack' | 'nak' | 'bad' };

/** Takes a byte stream apart. It holds what is incomplete; `expire` gives up on it. */
export class Unwrapper {
  #pending = Buffer.alloc(0);

  /** Everything that is complete with these bytes. Bytes outside a block, other than acknowledgements, are left out. */
  feed(bytes: Uint8Array): Unwrapped[] {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    const found: Unwrapped[] = [];
    while (this.#pending.length > 0) {
      const [first, second] = this.#pending;
      if (first === DLE && second === undefined) break;
      if (first !== DLE || second !== STX) {
        this.#pending = this.#pending.subarray(1);
        if (first === ACK) found.push({ kind: 'ack' });
        if (first === NAK) found.push({ kind: 'nak' });
        continue;
      }
      const block = this.#block();
      if (block === undefined) break;
      found.push(block);
    }
    return found;
  }

  /** Whether part of a block is held. */
  get isWaiting(): boolean {
    return this.#pending.length > 0;
  }

  /** Whether what was held, and is now given up, had begun like a block. */
  expire(): boolean {
    const hadBegun = this.#pending.length > 1;
    this.#pending = Buffer.alloc(0);
    return hadBegun;
  }

  #block(): Unwrapped | undefined {
    const content: number[] = [];
    for (let at = 2; at < this.#pending.length; at++) {
      const byte = this.#pending[at] ?? 0;
      if (byte !== DLE) {
        content.push(byte);
        continue;
      }
      const next = this.#pending[at + 1];
      if (next === undefined) return undefined;
      if (next === DLE) {
        content.push(DLE);
        at += 1;
        continue;
      }
      if (next !== ETX) {
        this.#pending = this.#pending.subarray(next === STX ? at : at + 2);
        return { kind: 'bad' };
      }
      if (this.#pending.length < at + 4) return undefined;
      const crc = this.#pending.readUInt16LE(at + 2);
      this.#pending = this.#pending.subarray(at + 4);
      const apdu = Buffer.from(content);
      return crc === crc16(Buffer.from([...content, ETX])) ? { kind: 'apdu', apdu } : { kind: 'bad' };
    }
    return undefined;
  }
}

/** Splits a TCP stream; `rest` is the beginning of an APDU. */
export function apdusIn(stream: Buffer): { apdus: Buffer[]; rest: Buffer } {
  const apdus: Buffer[] = [];
  let rest = stream;
  for (;;) {
    if (rest.length < 3 || (rest[2] === 0xff && rest.length < 5)) return { apdus, rest };
    const size = rest[2] === 0xff ? rest.readUInt16LE(3) + 5 : (rest[2] ?? 0) + 3;
    if (rest.length < size) return { apdus, rest };
    apdus.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
}

/** `code` is the two bytes of the control field, in hexadecimal digits. */
export function apdu(code: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size =
    body.length > 254 ? Buffer.from([0xff, body.length % 256, body.length >> 8]) : Buffer.from([body.length]);
  return Buffer.concat([Buffer.from(code, 'hex'), size, body]);
}

/** The code and body of an APDU; undefined if its length is wrong. */
export function parts(bytes: Buffer): { code: string; body: Buffer } | undefined {
  const { apdus, rest } = apdusIn(bytes);
  const [only] = apdus;
  if (only === undefined || apdus.length > 1 || rest.length > 0) return undefined;
  return { code: only.toString('hex', 0, 2), body: only.subarray(only[2] === 0xff ? 5 : 3) };
}

/** A number in packed decimal digits. */
export function bcd(value: number, bytes: number): Buffer {
  return Buffer.from(
    String(value)
      .padStart(bytes * 2, '0')
      .slice(-bytes * 2),
    'hex',
  );
}

/** A field behind its number; both in hexadecimal digits, or the value as bytes. */
export function bmp(number: string, value: Uint8Array | string): Buffer {
  return Buffer.concat([Buffer.from(number, 'hex'), typeof value === 'string' ? Buffer.from(value, 'hex') : value]);
}

/** A field of variable length, behind as many digits of length as `digits` says. */
export function varBmp(number: string, value: Uint8Array, digits: 2 | 3): Buffer {
  const length = Array.from(String(value.length).padStart(digits, '0'), digit => 0xf0 + Number(digit));
  return Buffer.concat([Buffer.from(number, 'hex'), Buffer.from(length), value]);
}

/** A tagged value of the container. */
export function tlv(tag: string, ...values: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(values);
  const size =
    value.length < 128
      ? [value.length]
      : value.length < 256
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length % 256];
  return Buffer.concat([Buffer.from(tag, 'hex'), Buffer.from(size), value]);
}

/** Fields of the host's commands: how many bytes each has, or how many digits count them. */
const sizes: Sizes = {
  '01': 1,
  '02': 1,
  '03': 1,
  '04': 6,
  '05': 1,
  '0b': 3,
  '0e': 2,
  '19': 1,
  '22': 'll',
  '23': 'll',
  '24': 'lll',
  '29': 4,
  '2d': 'll',
  '3a': 2,
  '3b': 8,
  '3c': 'lll',
  '49': 2,
  '87': 2,
  '8a': 1,
  d2: 1,
  f0: 1,
  f1: 'll',
  f2: 'll',
  f3: 'll',
  f4: 'll',
  f5: 'll',
  f6: 'll',
  f7: 'll',
  f8: 'll',
  f9: 1,
  fa: 1,
  fd: 1,
};

type Sizes = Readonly<Record<string, number | 'll' | 'lll'>>;

/**
 * Values by number, and the container's content under `06`. Undefined if the body cannot be read. `more` has the sizes of
 * fields that hosts do not send.
 */
export function bmpsOf(body: Buffer, more: Sizes = {}): ReadonlyMap<string, Buffer> | undefined {
  const found = new Map<string, Buffer>();
  let at = 0;
  while (at < body.length) {
    const number = body.toString('hex', at, at + 1);
    at += 1;
    const size = number === '06' ? tlvSize(body, at) : sizeOf(body, at, sizes[number] ?? more[number]);
    if (size === undefined || at + size.head + size.length > body.length) return undefined;
    at += size.head;
    found.set(number, body.subarray(at, at + size.length));
    at += size.length;
  }
  return found;
}

function sizeOf(body: Buffer, at: number, size: number | 'll' | 'lll' | undefined) {
  if (size === undefined) return undefined;
  if (typeof size === 'number') return { head: 0, length: size };
  const digits = body.toString('hex', at, at + size.length);
  if (!/^(f\d)+$/.test(digits) || digits.length !== size.length * 2) return undefined;
  return { head: size.length, length: Number(digits.replaceAll('f', '')) };
}

function tlvSize(body: Buffer, at: number) {
  const first = body[at];
  if (first === undefined) return undefined;
  if (first < 128) return { head: 1, length: first };
  const bytes = first & 0x7f;
  if (bytes < 1 || bytes > 2 || at + bytes >= body.length) return undefined;
  return { head: 1 + bytes, length: body.readUIntBE(at + 1, bytes) };
}

/** The value of a tag anywhere in a container, by its hexadecimal digits; empty values are found too. */
export function tlvValue(container: Buffer | undefined, wanted: string): Buffer | undefined {
  let at = 0;
  while (container !== undefined && at < container.length) {
    const wide = ((container[at] ?? 0) & 0x1f) === 0x1f ? 2 : 1;
    const tag = container.toString('hex', at, at + wide);
    const size = tlvSize(container, at + wide);
    if (size === undefined) return undefined;
    const value = container.subarray(at + wide + size.head, at + wide + size.head + size.length);
    if (tag === wanted) return value;
    const inner = ((container[at] ?? 0) & 0x20) === 0 ? undefined : tlvValue(value, wanted);
    if (inner !== undefined) return inner;
    at += wide + size.head + size.length;
  }
  return undefined;
}

import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { LineFailure } from '../reader.ts';

/**
 * Blocks of the serial line: DLE STX, the APDU with each DLE doubled, DLE ETX, and the checksum with its low byte first.
 * A receiver answers each block with one byte, ACK or NAK, which is not a block.
 */
const dle = 0x10;
const stx = 0x02;
const etx = 0x03;
export const ack = 0x06;
export const nak = 0x15;

/** T1: the longest silence within a block. */
const betweenBytesMs = 200;
/** Larger than any APDU that registration allows the reader to send, with each byte doubled. */
const maxBlockBytes = 16_384;

/** The checksum of an APDU and its ETX: CRC-16 with the reflected polynomial 0x8408, from 0 (CRC-16/KERMIT). */
function checksumOf(bytes: Iterable<number>): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0x8408 : sum >>> 1;
  }
  return sum;
}

/** The block that carries an APDU. */
export function encodeBlock(apdu: Uint8Array): Buffer {
  const sum = checksumOf([...apdu, etx]);
  const stuffed = [...apdu].flatMap(byte => (byte === dle ? [dle, dle] : [byte]));
  return Buffer.from([dle, stx, ...stuffed, dle, etx, sum & 0xff, sum >>> 8]);
}

type BlockReaderOptions = {
  readonly timers: Timers;
  readonly onBlock: (apdu: Buffer) => void;
  readonly onAcknowledged: (byte: typeof ack | typeof nak) => void;
  /** A block arrived damaged, and its sender is to be asked for it again. */
  readonly onDamaged: (cause: LineFailure) => void;
  /** Bytes that belong to no block; called once for each burst. */
  readonly onNoise: () => void;
};

/**
 * Splits the bytes of a serial line into blocks and acknowledgements. After damage inside a block everything up to a
 * silence is dropped: its sender waits for an answer, so nothing else can follow.
 */
export class BlockReader {
  readonly #options: BlockReaderOptions;
  #state: 'between' | 'starting' | 'body' | 'escaped' | 'sum_low' | 'sum_high' | 'dropping' = 'between';
  #body: number[] = [];
  #sumLow = 0;
  #isNoisy = false;
  #damage: LineFailure = 'framing';
  #silence: Cancel | undefined;

  constructor(options: BlockReaderOptions) {
    this.#options = options;
  }

  /** Takes the bytes in any pieces. */
  receive(bytes: Uint8Array): void {
    this.#silence?.();
    this.#silence = undefined;
    for (const byte of bytes) this.#take(byte);
    if (this.#state !== 'between' || this.#isNoisy)
      this.#silence = this.#options.timers.after(betweenBytesMs, () => this.#silent());
  }

  /** Drops what it holds. */
  end(): void {
    this.#silence?.();
  }

  #take(byte: number): void {
    switch (this.#state) {
      case 'between':
        if (byte === dle) this.#state = 'starting';
        else if (byte === ack || byte === nak) this.#options.onAcknowledged(byte);
        else this.#noise();
        return;
      case 'starting':
        if (byte === stx) this.#begin();
        else if (byte !== dle) {
          this.#state = 'between';
          this.#noise();
        }
        return;
      case 'body':
        if (byte === dle) this.#state = 'escaped';
        else this.#hold(byte);
        return;
      case 'escaped':
        if (byte === etx) this.#state = 'sum_low';
        else if (byte === dle) {
          this.#state = 'body';
          this.#hold(byte);
        } else if (byte === stx) {
          // The end of the block before is missing; its sender has given up on it.
          this.#begin();
        } else this.#drop('framing');
        return;
      case 'sum_low':
        this.#sumLow = byte;
        this.#state = 'sum_high';
        return;
      case 'sum_high':
        this.#finish((byte << 8) | this.#sumLow);
        return;
      case 'dropping':
        return;
    }
  }

  #begin(): void {
    this.#body = [];
    this.#isNoisy = false;
    this.#state = 'body';
  }

  #hold(byte: number): void {
    this.#body.push(byte);
    if (this.#body.length > maxBlockBytes) this.#drop('too_long');
  }

  #finish(sum: number): void {
    const apdu = Buffer.from(this.#body);
    this.#body = [];
    this.#state = 'between';
    if (sum === checksumOf([...apdu, etx])) this.#options.onBlock(apdu);
    else this.#options.onDamaged('checksum');
  }

  #drop(cause: LineFailure): void {
    this.#body = [];
    this.#damage = cause;
    this.#state = 'dropping';
  }

  #noise(): void {
    if (!this.#isNoisy) this.#options.onNoise();
    this.#isNoisy = true;
  }

  #silent(): void {
    const { onDamaged } = this.#options;
    const state = this.#state;
    this.#state = 'between';
    this.#isNoisy = false;
    this.#body = [];
    if (state === 'dropping') onDamaged(this.#damage);
    else if (state !== 'between' && state !== 'starting') onDamaged('partial_line');
  }
}

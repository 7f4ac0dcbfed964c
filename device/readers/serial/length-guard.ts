import { Transform, type TransformCallback } from 'node:stream';
import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { maxLineBytes } from '@florin/shared/reader-line/frame.ts';
import type { LineFailure } from '../reader.ts';

const lineFeed = 0x0a;
/** A line that is not complete by then is dropped. */
const partialLineMs = 500;

/**
 * Passes whole lines of at most 1024 bytes and drops everything else up to the next LF. Without it the parser would
 * buffer endless input (at quadratic cost) and join half a line to the bytes after a pause.
 */
export class LengthGuard extends Transform {
  readonly #timers: Timers;
  readonly #onDropped: (cause: LineFailure) => void;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #dropping = false;
  #partialLineTimer: Cancel | undefined;

  constructor(options: { timers: Timers; onDropped: (cause: LineFailure) => void }) {
    super();
    this.#timers = options.timers;
    this.#onDropped = options.onDropped;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#partialLineTimer?.();
    this.#partialLineTimer = undefined;
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      this.#hold(chunk.subarray(start, end + 1));
      this.#release();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    if (this.#heldBytes > 0 || this.#dropping)
      this.#partialLineTimer = this.#timers.after(partialLineMs, () => this.#dropPartialLine());
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#partialLineTimer?.();
    callback(error);
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0 || this.#dropping) return;
    if (this.#heldBytes + piece.length > maxLineBytes) {
      this.#drop();
      return;
    }
    // Copied, because serialport reuses the buffer.
    this.#held.push(Buffer.from(piece));
    this.#heldBytes += piece.length;
  }

  #release(): void {
    if (this.#dropping) this.#dropping = false;
    else this.push(Buffer.concat(this.#held));
    this.#held = [];
    this.#heldBytes = 0;
  }

  #drop(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#dropping = true;
    this.#onDropped('too_long');
  }

  #dropPartialLine(): void {
    if (this.#heldBytes > 0) this.#onDropped('partial_line');
    this.#held = [];
    this.#heldBytes = 0;
    this.#dropping = false;
  }
}

import type { CharacterTable } from './character-tables.ts';
import { incomplete, type Language, type LanguagePorts } from './language.ts';
import type { Alignment } from './paper.ts';

const esc = 0x1b;
const gs = 0x1d;
const fs = 0x1c;
const lineFeed = 0x0a;

const alignments: readonly Alignment[] = ['left', 'centre', 'right'];
/** ESC t n. */
const tables: Readonly<Record<number, CharacterTable>> = {
  0: 'cp437',
  2: 'cp850',
  16: 'windows-1252',
  17: 'ibm866',
  18: 'cp852',
  19: 'cp858',
};

/** Bit 4 and bit 1 of every answer to DLE EOT are set. */
const fixedBits = 0x12;

/** Epson's ESC/POS, as far as receipts need it. */
export class EscPos implements Language {
  readonly #ports: LanguagePorts;

  constructor(ports: LanguagePorts) {
    this.#ports = ports;
  }

  arrived(bytes: Buffer): Buffer {
    const rest: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === 0x10 && bytes[at + 1] === 0x04) {
        this.#ports.send(Uint8Array.of(this.#realTimeStatus(bytes[at + 2] ?? 1)));
        at += 2;
      } else rest.push(bytes[at] ?? 0);
    }
    return Buffer.from(rest);
  }

  step(buffer: Buffer): number {
    const [first = 0, second, third] = buffer;
    switch (first) {
      case lineFeed:
        this.#ports.head.feed();
        return 1;
      case esc:
        return this.#escape(second, third);
      case gs:
        return this.#group(buffer, second, third);
      case fs:
        // Leaves the mode of two-byte characters.
        return second === undefined ? incomplete : 2;
      default:
        if (first >= 0x20) this.#ports.head.type(first);
        else this.#ports.onUnknown(Uint8Array.of(first));
        return 1;
    }
  }

  #escape(command: number | undefined, value: number | undefined): number {
    const { head } = this.#ports;
    if (command === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case '@':
        head.reset();
        return 2;
      case '2':
        return 2;
    }
    if (value === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case 'E':
        head.set({ bold: (value & 1) === 1 });
        return 3;
      case '-':
        head.set({ underlined: value !== 0 && value !== 0x30 });
        return 3;
      case 'a':
        head.set({ align: alignments[value % 0x30] ?? 'left' });
        return 3;
      case 't':
        head.set({ table: tables[value] ?? 'cp437' });
        return 3;
      case 'd':
        head.feed(value);
        return 3;
      case 'M':
      case '3':
        return 3;
      default:
        this.#ports.onUnknown(Uint8Array.of(esc, command));
        return 2;
    }
  }

  #group(buffer: Buffer, command: number | undefined, value: number | undefined): number {
    const { head } = this.#ports;
    if (command === undefined || value === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case '!':
        head.set({ width: (value >> 4) + 1, height: (value & 0x0f) + 1 });
        return 3;
      case 'B':
        head.set({ inverted: (value & 1) === 1 });
        return 3;
      case 'V':
        head.cut();
        // Functions B and C have the feed before the cut as well.
        return value > 0x31 ? 4 : 3;
      case 'r':
        // Paper is not near its end; a printer without paper does not come here.
        this.#ports.send(Uint8Array.of(0));
        return 3;
      case '(':
        return this.#symbol(buffer);
      default:
        this.#ports.onUnknown(Uint8Array.of(gs, command));
        return 2;
    }
  }

  /** GS ( k: the model, module size, error correction, content and print of a QR code. */
  #symbol(buffer: Buffer): number {
    if (buffer.length < 5) return incomplete;
    const length = buffer.readUInt16LE(3);
    const end = 5 + length;
    if (buffer.length < end) return incomplete;
    const [kind, operation, value = 0] = buffer.subarray(5, end);
    const { head, onUnknown } = this.#ports;
    if (buffer[2] !== 0x6b || kind !== 0x31) onUnknown(buffer.subarray(0, end));
    else if (operation === 0x43) head.setCode({ moduleDots: value });
    else if (operation === 0x50) head.setCode({ text: buffer.toString('utf8', 8, end) });
    else if (operation === 0x51) head.printCode();
    return end;
  }

  #realTimeStatus(question: number): number {
    const { isCoverOpen, isPaperEnd } = this.#ports.condition();
    switch (question) {
      case 2:
        return fixedBits | (isCoverOpen ? 0x04 : 0) | (isPaperEnd ? 0x20 : 0);
      case 3:
        return fixedBits;
      case 4:
        return fixedBits | (isPaperEnd ? 0x60 : 0);
      default:
        return fixedBits | (isCoverOpen || isPaperEnd ? 0x08 : 0);
    }
  }
}

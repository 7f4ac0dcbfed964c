import type { CharacterTable } from './character-tables.ts';
import { incomplete, type Language, type LanguagePorts } from './language.ts';
import type { Alignment } from './paper.ts';

const esc = 0x1b;
const lineFeed = 0x0a;
const cancel = 0x18;
const countedEnd = 0x17;

const alignments: readonly Alignment[] = ['left', 'centre', 'right'];
/** ESC GS t n; 0, Star's own table, is cp437 but for a few signs. */
const tables: Readonly<Record<number, CharacterTable>> = {
  0: 'cp437',
  1: 'cp437',
  4: 'cp858',
  5: 'cp852',
  10: 'ibm866',
  32: 'windows-1252',
};

/** Star's StarPRNT, as far as receipts need it. */
export class StarPrnt implements Language {
  readonly #ports: LanguagePorts;
  #counter = 0;

  constructor(ports: LanguagePorts) {
    this.#ports = ports;
  }

  arrived(bytes: Buffer): Buffer {
    const rest: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === esc && bytes[at + 1] === 0x06 && bytes[at + 2] === 0x01) {
        this.#ports.send(this.#status());
        at += 2;
      } else rest.push(bytes[at] ?? 0);
    }
    return Buffer.from(rest);
  }

  step(buffer: Buffer): number {
    const [first = 0] = buffer;
    switch (first) {
      case lineFeed:
        this.#ports.head.feed();
        return 1;
      case cancel:
        return 1;
      case countedEnd:
        this.#counter = (this.#counter + 1) % 32;
        return 1;
      case esc:
        return this.#escape(buffer);
      default:
        if (first >= 0x20) this.#ports.head.type(first);
        else this.#ports.onUnknown(Uint8Array.of(first));
        return 1;
    }
  }

  #escape(buffer: Buffer): number {
    const { head, onUnknown } = this.#ports;
    const [, command, value, second] = buffer;
    if (command === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case '@':
        head.reset();
        return 2;
      case 'E':
        head.set({ bold: true });
        return 2;
      case 'F':
        head.set({ bold: false });
        return 2;
      case '4':
        head.set({ inverted: true });
        return 2;
      case '5':
        head.set({ inverted: false });
        return 2;
    }
    if (value === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case '-':
        head.set({ underlined: (value & 1) === 1 });
        return 3;
      case 'd':
        head.cut();
        return 3;
      case 'i':
        if (second === undefined) return incomplete;
        head.set({ height: value + 1, width: second + 1 });
        return 4;
      case '\x1d':
        return this.#extended(buffer);
      case '\x1e':
        return buffer.length < 4 ? incomplete : 4;
      default:
        onUnknown(Uint8Array.of(esc, command));
        return 2;
    }
  }

  /** ESC GS: alignment, character table, QR codes. */
  #extended(buffer: Buffer): number {
    const { head, onUnknown } = this.#ports;
    const [, , command = 0, value] = buffer;
    if (value === undefined) return incomplete;
    switch (String.fromCharCode(command)) {
      case 'a':
        head.set({ align: alignments[value % 0x30] ?? 'left' });
        return 4;
      case 't':
        head.set({ table: tables[value] ?? 'cp437' });
        return 4;
      case 'y':
        return this.#symbol(buffer, String.fromCharCode(value));
      default:
        onUnknown(buffer.subarray(0, 4));
        return 4;
    }
  }

  #symbol(buffer: Buffer, operation: string): number {
    const { head } = this.#ports;
    if (operation === 'P') {
      head.printCode();
      return 4;
    }
    if (operation === 'S') {
      if (buffer.length < 6) return incomplete;
      if (buffer[4] === 0x32) head.setCode({ moduleDots: buffer[5] ?? 3 });
      return 6;
    }
    if (buffer.length < 8) return incomplete;
    const end = 8 + buffer.readUInt16LE(6);
    if (buffer.length < end) return incomplete;
    head.setCode({ text: buffer.toString('utf8', 8, end) });
    return end;
  }

  /** Nine bytes, as the first says. */
  #status(): Uint8Array {
    const { isCoverOpen, isPaperEnd } = this.#ports.condition();
    const state = (isCoverOpen ? 0x20 : 0) | (isCoverOpen || isPaperEnd ? 0x08 : 0);
    const counter = ((this.#counter & 0x10) << 2) | ((this.#counter & 0x0f) << 1);
    return Uint8Array.of(0x23, 0x86, state, 0, 0, isPaperEnd ? 0x08 : 0, 0, counter, 0);
  }
}

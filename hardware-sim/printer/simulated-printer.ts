import { EscPos } from './esc-pos.ts';
import type { Language } from './language.ts';
import type { Printed } from './paper.ts';
import { PrintHead } from './print-head.ts';
import { StarPrnt } from './star-prnt.ts';

export const printerLanguages = ['esc-pos', 'star-prnt'] as const;
export type PrinterLanguage = (typeof printerLanguages)[number];

/** The state shown on the page. */
export type PrinterState = {
  readonly language: PrinterLanguage;
  readonly isOn: boolean;
  readonly isCoverOpen: boolean;
  readonly isPaperEnd: boolean;
  /** Rows left before the roll ends; null for a full roll. */
  readonly rowsLeft: number | null;
  /** Bytes that wait for paper or for the cover. */
  readonly waitingBytes: number;
  /** Commands that it does not know, in hexadecimal. */
  readonly unknown: readonly string[];
  /** Everything on the paper since it was torn off last. */
  readonly paper: readonly Printed[];
};

const mostPrinted = 2_000;
const mostUnknown = 20;

/**
 * A receipt printer without its line: it carries out the bytes it receives, and answers. While paper is missing or the
 * cover is open it keeps what it received, as real ones do, and continues when that is put right.
 */
export class SimulatedPrinter {
  readonly #language: Language;
  readonly #name: PrinterLanguage;
  readonly #onChange: () => void;
  #paper: Printed[] = [];
  #buffer: Buffer = Buffer.alloc(0);
  #isOn = true;
  #isCoverOpen = false;
  #rowsLeft: number | null = null;
  #unknown: string[] = [];

  constructor(options: {
    readonly language: PrinterLanguage;
    readonly send: (bytes: Uint8Array) => void;
    readonly onChange: () => void;
  }) {
    this.#name = options.language;
    this.#onChange = options.onChange;
    const ports = {
      head: new PrintHead(printed => this.#put(printed)),
      condition: () => ({ isCoverOpen: this.#isCoverOpen, isPaperEnd: this.#rowsLeft === 0 }),
      send: options.send,
      onUnknown: (bytes: Uint8Array) => {
        this.#unknown = [...this.#unknown, Buffer.from(bytes).toString('hex')].slice(-mostUnknown);
      },
    };
    this.#language = options.language === 'esc-pos' ? new EscPos(ports) : new StarPrnt(ports);
  }

  state(): PrinterState {
    return {
      language: this.#name,
      isOn: this.#isOn,
      isCoverOpen: this.#isCoverOpen,
      isPaperEnd: this.#rowsLeft === 0,
      rowsLeft: this.#rowsLeft,
      waitingBytes: this.#buffer.length,
      unknown: this.#unknown,
      paper: this.#paper,
    };
  }

  /** Bytes from the host; lost while it is switched off. */
  receive(bytes: Buffer): void {
    if (!this.#isOn) return;
    this.#buffer = Buffer.concat([this.#buffer, this.#language.arrived(bytes)]);
    this.#work();
  }

  /** Forgets what it received and did not print. */
  switch(isOn: boolean): void {
    this.#isOn = isOn;
    this.#buffer = Buffer.alloc(0);
    this.#onChange();
  }

  openCover(isOpen: boolean): void {
    this.#isCoverOpen = isOpen;
    this.#work();
  }

  /** The roll ends after so many rows; 0: it is empty now. */
  endPaper(rows: number): void {
    this.#rowsLeft = rows;
    this.#onChange();
  }

  insertRoll(): void {
    this.#rowsLeft = null;
    this.#work();
  }

  /** Takes away what was printed. */
  tearOff(): void {
    this.#paper = [];
    this.#onChange();
  }

  #work(): void {
    while (this.#buffer.length > 0 && !this.#isCoverOpen && this.#rowsLeft !== 0) {
      const used = this.#language.step(this.#buffer);
      if (used === 0) break;
      this.#buffer = this.#buffer.subarray(used);
    }
    this.#onChange();
  }

  #put(printed: Printed): void {
    this.#paper = [...this.#paper, printed].slice(-mostPrinted);
    if (this.#rowsLeft !== null && printed.kind !== 'cut') this.#rowsLeft -= 1;
  }
}

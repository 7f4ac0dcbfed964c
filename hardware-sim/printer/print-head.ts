import { type CharacterTable, characterOf } from './character-tables.ts';
import type { Alignment, Printed, Span } from './paper.ts';

type Look = Omit<Span, 'text'>;
type Setting = Look & { readonly align: Alignment; readonly table: CharacterTable };

const usual: Setting = {
  bold: false,
  underlined: false,
  inverted: false,
  width: 1,
  height: 1,
  align: 'left',
  table: 'cp437',
};

/** What both languages of commands act on: the settings, and the row that is being filled. */
export class PrintHead {
  #setting: Setting = usual;
  #spans: Span[] = [];
  #code = { text: '', moduleDots: 3 };
  readonly #put: (printed: Printed) => void;

  constructor(put: (printed: Printed) => void) {
    this.#put = put;
  }

  /** As after switching on; a row that was not printed yet is dropped. */
  reset(): void {
    this.#setting = usual;
    this.#spans = [];
  }

  set(change: Partial<Setting>): void {
    this.#setting = { ...this.#setting, ...change };
  }

  type(byte: number): void {
    const { align: _, table, ...look } = this.#setting;
    const character = characterOf(byte, table);
    const last = this.#spans.at(-1);
    const isSame = last && (Object.keys(look) as (keyof Look)[]).every(name => last[name] === look[name]);
    if (isSame) this.#spans[this.#spans.length - 1] = { ...last, text: last.text + character };
    else this.#spans.push({ ...look, text: character });
  }

  /** Prints the row, if only an empty one, and feeds the paper. */
  feed(rows = 1): void {
    for (let row = 0; row < rows; row++) {
      this.#put({ kind: 'row', align: this.#setting.align, spans: this.#spans });
      this.#spans = [];
    }
  }

  setCode(change: Partial<{ text: string; moduleDots: number }>): void {
    this.#code = { ...this.#code, ...change };
  }

  printCode(): void {
    this.#put({ kind: 'code', align: this.#setting.align, ...this.#code });
  }

  cut(): void {
    if (this.#spans.length > 0) this.feed();
    this.#put({ kind: 'cut' });
  }
}

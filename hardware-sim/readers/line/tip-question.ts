import type { Timers } from '@florin/shared/ports.ts';
import type { Request } from '@florin/shared/reader-line/messages.ts';
import type { Screen } from '../screen.ts';

type TipRequest = Extract<Request, { verb: 'TIP' }>;
type Tipped = { readonly txn: string; readonly tip: string };

/** The question for a tip: one at a time, each once. It is no transaction, and any transaction ends it. */
export class TipQuestions {
  readonly #timers: Timers;
  readonly #onTipped: (answer: Tipped) => void;
  readonly #onChange: () => void;
  #open: TipQuestion | undefined;
  #answered: Tipped | undefined;

  constructor(options: {
    readonly timers: Timers;
    readonly onTipped: (answer: Tipped) => void;
    readonly onChange: () => void;
  }) {
    this.#timers = options.timers;
    this.#onTipped = options.onTipped;
    this.#onChange = options.onChange;
  }

  get open(): TipQuestion | undefined {
    return this.#open;
  }

  /** Answered already, it is answered again. */
  ask(request: TipRequest): void {
    if (this.#answered?.txn === request.txn) {
      this.#onTipped(this.#answered);
    } else if (this.#open?.request.txn !== request.txn) {
      this.end();
      const onAnswer = (tipMinor: number) => this.#answer(request.txn, tipMinor);
      this.#open = new TipQuestion({ request, timers: this.#timers, onAnswer });
    }
  }

  /** A key of the pad; false if no question is open. */
  key(key: string): boolean {
    if (!this.#open) return false;
    this.#open.key(key);
    this.#onChange();
    return true;
  }

  cancel(txn: string): void {
    if (this.#open?.request.txn === txn) this.#answer(txn, 0);
  }

  /** Ends the open question without an answer. */
  end(): void {
    this.#open?.end();
    this.#open = undefined;
  }

  #answer(txn: string, tipMinor: number): void {
    this.end();
    this.#answered = { txn, tip: String(tipMinor) };
    this.#onTipped(this.#answered);
  }
}

/**
 * The customer's choice of a tip: 1 to 3 for a suggestion, the yellow key for another amount, the green or red key for
 * none. While another amount is typed, green enters it and yellow clears it.
 */
class TipQuestion {
  readonly request: TipRequest;
  readonly #onAnswer: (tipMinor: number) => void;
  readonly #stopTimer: () => void;
  /** The digits of another amount; undefined while the suggestions are shown. */
  #typed: string | undefined;
  #isTooMuch = false;

  constructor(options: {
    readonly request: TipRequest;
    readonly timers: Timers;
    readonly onAnswer: (tipMinor: number) => void;
  }) {
    this.request = options.request;
    this.#onAnswer = options.onAnswer;
    this.#stopTimer = options.timers.after(options.request.tmo * 1000, () => this.#onAnswer(0));
  }

  get amount() {
    const { amt: amountMinor, cur: currency, exp: exponent } = this.request;
    return { amountMinor, currency, exponent };
  }

  key(key: string): void {
    if (key === 'cancel') this.#onAnswer(0);
    else if (this.#typed === undefined) this.#choose(key);
    else this.#type(key, this.#typed);
  }

  screen(): Screen {
    const { exp, tips, pct } = this.request;
    const written = (minor: number) => (minor / 10 ** exp).toFixed(exp);
    if (this.#typed !== undefined) {
      const title = `Tip ${written(Number(this.#typed))}`;
      const detail = this.#isTooMuch ? 'At most the amount of the sale' : 'Green: add, red: no tip';
      return { kind: 'tip', title, detail, digits: 0 };
    }
    const offered = tips.map((tip, index) => `${index + 1}: ${written(tip)} (${pct[index] ?? 0}%)`);
    return {
      kind: 'tip',
      title: 'Add a tip?',
      detail: [...offered, 'Yellow: other', 'Red: none'].join('\n'),
      digits: 0,
    };
  }

  end(): void {
    this.#stopTimer();
  }

  #choose(key: string): void {
    const tip = this.request.tips[Number(key) - 1];
    if (key === 'enter') this.#onAnswer(0);
    else if (key === 'clear') this.#typed = '';
    else if (tip !== undefined) this.#onAnswer(tip);
  }

  #type(key: string, typed: string): void {
    this.#isTooMuch = false;
    if (key === 'clear') {
      this.#typed = '';
    } else if (key !== 'enter') {
      this.#typed = `${typed}${key}`.slice(0, 9);
    } else if (Number(typed) > this.request.amt) {
      this.#isTooMuch = true;
      this.#typed = '';
    } else {
      this.#onAnswer(Number(typed));
    }
  }
}

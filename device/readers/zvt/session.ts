import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import type { OpenRefusal } from '../serial/port.ts';
import type { Apdu } from './apdu.ts';
import { stop } from './commands.ts';
import { type Link, type LinkOptions, openLink } from './link.ts';
import { control, type ReaderMessage, readMessage } from './messages.ts';

/** Receives what the reader sends while it carries out one command. */
export type Listener = {
  /** Whether the facts are stored: only then does the reader keep the transaction, otherwise it reverses it. */
  readonly onStatus: (message: Extract<ReaderMessage, { kind: 'status' }>) => boolean;
  readonly onProgress: (message: Extract<ReaderMessage, { kind: 'progress' }>) => void;
  readonly onPrint: (message: Extract<ReaderMessage, { kind: 'print' }>) => void;
};

/** How a command ended. `refused` before it began, `aborted` afterwards; both name the reader's code. */
export type Ended =
  | { readonly kind: 'completed'; readonly data: Buffer }
  | { readonly kind: 'aborted'; readonly code: number }
  | { readonly kind: 'refused'; readonly code: number; readonly data: Buffer }
  | { readonly kind: 'lost' };

export type SessionOptions = Omit<LinkOptions, 'onApdu'> & {
  readonly timers: Timers;
  /** The reader goes on with a command of an earlier session. */
  readonly onResumed: () => Listener;
  readonly onResumedEnd: (ended: Ended) => void;
};

/** T3: within it the reader answers a command. */
const answerMs = 5000;
/** T4: within it a command ends, or the reader reports progress; it may set another time. */
const commandMs = 180_000;
const minuteMs = 60_000;
/** The same for a command that needs neither a customer nor a connection to the processor. */
export const quickCommandMs = 20_000;
/** Codes of answers: the terminal has not stored a payment, or does not know a command. */
const notStored = 0x6c;
const notKnown = 0x83;

type Task = { readonly listener: Listener; readonly end: (ended: Ended) => void };
type Question = { answered: (ended: Apdu | undefined) => void; restart: () => void };

/**
 * One connection to a reader: commands, the reader's messages while it carries one out, and their time limits. One command
 * runs at a time; only `stop` may be sent during another.
 */
export class Session {
  readonly #options: SessionOptions;
  #link: Link | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #questions: Question[] = [];
  #task: Task | undefined;
  #resumed: Task | undefined;
  #deadline: Cancel | undefined;
  #isOver = false;

  private constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Opens the line. Whether a reader is behind it shows with the first command. */
  static async open(options: SessionOptions): Promise<Result<Session, OpenRefusal>> {
    const session = new Session(options);
    const opened = await openLink({
      ...options,
      onApdu: apdu => session.#receive(apdu),
      onLost: () => session.#lost(),
    });
    if (!opened.ok) return err(opened.refusal);
    session.#link = opened.value;
    return ok(session);
  }

  /** Whether the reader goes on with a command of an earlier session. */
  get isResuming(): boolean {
    return this.#resumed !== undefined;
  }

  /** Whether a command is under way. */
  get isBusy(): boolean {
    return this.#task !== undefined || this.#resumed !== undefined || this.#questions.length > 0;
  }

  /** Carries out one command, after those before it. `allowedMs` is the longest silence until it ends. */
  run(command: Apdu, listener: Listener, allowedMs = commandMs): Promise<Ended> {
    const ended = this.#turn.then(() => this.#perform(command, listener, allowedMs));
    this.#turn = ended;
    return ended;
  }

  /** Asks the reader to stop what it does; what it does then decides. */
  stop(): void {
    this.#ask(stop, () => undefined);
  }

  async close(): Promise<void> {
    this.#end();
    await this.#link?.close();
  }

  #perform(command: Apdu, listener: Listener, allowedMs: number): Promise<Ended> {
    return new Promise(resolve => {
      if (this.#isOver) {
        resolve({ kind: 'lost' });
        return;
      }
      this.#ask(command, answer => {
        if (answer === undefined) resolve({ kind: 'lost' });
        else if (isRefusal(answer)) resolve({ kind: 'refused', code: answer.control & 0xff, data: answer.data });
        else {
          // At once, because the reader's first message may have come together with its answer.
          this.#task = { listener, end: resolve };
          this.#allow(allowedMs);
        }
      });
    });
  }

  /** Sends a command and waits for its answer; undefined if the line was lost. */
  #ask(command: Apdu, onAnswer: (answer: Apdu | undefined) => void): void {
    let stopTimer: Cancel = () => undefined;
    const question: Question = {
      answered(answer) {
        stopTimer();
        onAnswer(answer);
      },
      restart: () => {
        stopTimer();
        stopTimer = this.#options.timers.after(answerMs, () => {
          this.#options.onFailure('timeout');
          this.#lose();
        });
      },
    };
    this.#questions.push(question);
    void this.#link?.send(command).then(isDelivered => {
      // Its answer may have come before the acknowledgement.
      if (isDelivered && this.#questions.includes(question)) question.restart();
    });
  }

  #receive(apdu: Apdu): void {
    if (this.#isOver) return;
    if (apdu.control >>> 8 === 0x80 || apdu.control >>> 8 === control.refusal) {
      this.#questions.shift()?.answered(apdu);
      return;
    }
    const message = readMessage(apdu);
    if (!message) {
      this.#reply((control.refusal << 8) | notKnown);
      return;
    }
    // The reader is busy with its own messages; it answers when it is done with them.
    for (const question of this.#questions) question.restart();
    this.#handle(message);
  }

  #handle(message: ReaderMessage): void {
    switch (message.kind) {
      case 'completion':
        this.#reply(control.ok);
        this.#finish({ kind: 'completed', data: message.data });
        return;
      case 'abort':
        this.#reply(control.ok);
        this.#finish({ kind: 'aborted', code: message.code });
        return;
      case 'clock':
        this.#reply(control.ok);
        return;
      case 'print':
        this.#current().listener.onPrint(message);
        this.#reply(control.ok);
        return;
      case 'progress':
        this.#current().listener.onProgress(message);
        this.#allow(message.minutes ? message.minutes * minuteMs : commandMs);
        this.#reply(control.ok);
        return;
      case 'status': {
        const isStored = this.#current().listener.onStatus(message);
        this.#allow(commandMs);
        this.#reply(isStored ? control.ok : (control.refusal << 8) | notStored);
      }
    }
  }

  #current(): Task {
    if (this.#task) return this.#task;
    this.#resumed ??= { listener: this.#options.onResumed(), end: this.#options.onResumedEnd };
    return this.#resumed;
  }

  /** The end of a command that is no longer under way was sent again. */
  #finish(ended: Ended): void {
    const task = this.#task ?? this.#resumed;
    this.#deadline?.();
    if (this.#task) this.#task = undefined;
    else this.#resumed = undefined;
    task?.end(ended);
  }

  #allow(ms: number): void {
    this.#deadline?.();
    this.#deadline = this.#options.timers.after(ms, () => {
      this.#options.onFailure('timeout');
      this.#lose();
    });
  }

  #reply(answer: number): void {
    void this.#link?.send({ control: answer, data: Buffer.alloc(0) });
  }

  #lose(): void {
    void this.#link?.close();
    this.#lost();
  }

  #lost(): void {
    if (this.#isOver) return;
    this.#end();
    this.#options.onLost();
  }

  #end(): void {
    this.#isOver = true;
    this.#deadline?.();
    for (const question of this.#questions.splice(0)) question.answered(undefined);
    const tasks = [this.#task, this.#resumed];
    this.#task = undefined;
    this.#resumed = undefined;
    for (const task of tasks) task?.end({ kind: 'lost' });
  }
}

/** 84 00 is an acknowledgement as well. */
function isRefusal({ control: answer }: Apdu): boolean {
  return answer >>> 8 === control.refusal && (answer & 0xff) !== 0;
}

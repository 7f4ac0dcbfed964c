import { type Timers, wait } from '@florin/shared/ports.ts';
import type { Result } from '@florin/shared/result.ts';
import type { Discovery } from '../serial/discovery.ts';
import type { OpenRefusal } from '../serial/port.ts';
import { diagnosis, initialisation, registration, statusEnquiry } from './commands.ts';
import { isTcpPath } from './link.ts';
import { readRegistration, readState, refusedCurrency } from './messages.ts';
import { type Ended, type Listener, quickCommandMs, type Session } from './session.ts';

/** What a reader says of itself when this terminal registers. */
export type Registered = {
  readonly terminalId: string;
  readonly firmware: string | undefined;
  /** It had to be initialised: its memory was empty. */
  readonly wasEmpty: boolean;
};

/** `busy`: it still carries out a command of an earlier session. */
export type Greeting = Registered | 'busy' | 'refused' | 'silent';

export type SearchRefusal = OpenRefusal | 'silent' | 'refused';

export type ConnectionOptions = {
  readonly discovery: Discovery;
  readonly baudRates: readonly number[];
  readonly password: string;
  readonly timers: Timers;
  /** Whether a transaction may be under way at the reader. */
  readonly hasOpenTransaction: () => boolean;
  readonly open: (path: string, baudRate: number, onLost: () => void) => Promise<Result<Session, OpenRefusal>>;
  /** Called before anything else is sent over the session. */
  readonly onUp: (session: Session) => void;
  /** Called at once if the reader is idle, otherwise when it has become so. */
  readonly onRegistered: (registered: Registered) => void;
  readonly onDown: () => void;
  /** Why the last search found nothing; called after each search. */
  readonly onSearching: (refusal: SearchRefusal | undefined) => void;
};

const searchEveryMs = 500;
/** How often an idle reader is asked for its state, so that a silent one is noticed. */
const enquiryEveryMs = 10_000;
const askAgainMs = 1000;
const registrationTries = 60;
/** The currency of registration until a reader names its own. */
const usualCurrency = 'EUR';
const pleaseWait = 0x9c;
const needsInitialisation = 0x01;
const needsDiagnosis = 0x02;

/** Half a second longer than a reader waits until it sends a block again. */
const repetitionMs = 5500;
const listeningStepMs = 500;

/** For commands that move no money: a success would be that of another one. */
const nobody: Listener = {
  onStatus: ({ facts }) => facts.result !== 0,
  onProgress: () => undefined,
  onPrint: () => undefined,
};

/** Keeps one session open: finds the reader, registers, and finds it again when the line is lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #ended = new AbortController();
  readonly #searching: Promise<void>;
  #session: Session | undefined;
  #isRegistered = false;
  /** Ends the pauses of a session that was lost. */
  #lost = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#searching = this.#keepUp();
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether the reader can be given a new transaction. */
  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  /** Waits for a reader that is still busy with an earlier command; in the end it is registered, lost, or still busy. */
  async registered(): Promise<void> {
    const { timers } = this.#options;
    for (let tries = 0; tries < registrationTries && this.#session && !this.#isRegistered; tries += 1)
      await wait(timers, askAgainMs, this.#lost.signal);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#lost.abort();
    await this.#session?.close();
    await this.#searching;
  }

  async #keepUp(): Promise<void> {
    const { timers } = this.#options;
    while (!this.#ended.signal.aborted) {
      const refusal = await this.#look();
      if (this.#ended.signal.aborted) return;
      if (refusal !== 'found') this.#options.onSearching(refusal);
      await wait(timers, searchEveryMs, this.#ended.signal);
    }
  }

  /** Tries all ports once, and holds on to the first reader; the most informative refusal is reported. */
  async #look(): Promise<SearchRefusal | 'found' | undefined> {
    let refusal: SearchRefusal | undefined;
    for (const path of await this.#options.discovery.candidates()) {
      for (const baudRate of isTcpPath(path) ? [0] : this.#options.baudRates) {
        if (this.#ended.signal.aborted) return undefined;
        const result = await this.#holdOn(path, baudRate);
        if (result === 'found') return result;
        if (result !== 'not_there') refusal = result;
        // Only a missing answer can mean a wrong baud rate.
        if (result !== 'silent') break;
      }
    }
    return refusal;
  }

  /** `found` after the reader at this port was lost again. */
  async #holdOn(path: string, baudRate: number): Promise<SearchRefusal | 'found'> {
    const lost = new AbortController();
    const opened = await this.#options.open(path, baudRate, () => lost.abort());
    if (!opened.ok) return opened.refusal;
    const session = opened.value;
    const isResumed =
      this.#options.hasOpenTransaction() && !isTcpPath(path) && (await this.#listen(session, lost.signal));
    const greeting = lost.signal.aborted ? 'silent' : isResumed ? 'busy' : await this.#greet(session);
    if (greeting === 'silent' || greeting === 'refused' || this.#ended.signal.aborted) {
      await session.close();
      return greeting === 'refused' ? 'refused' : 'silent';
    }
    this.#lost = lost;
    this.#session = session;
    this.#options.onUp(session);
    if (greeting !== 'busy') this.#registered(greeting);
    await this.#attend(session, lost.signal);
    this.#session = undefined;
    this.#isRegistered = false;
    await session.close();
    if (!this.#ended.signal.aborted) this.#options.onDown();
    return 'found';
  }

  /**
   * Waits for what the reader sends again because contact was lost: its old answer would be taken for that to a new
   * command. True if it goes on with the transaction.
   */
  async #listen(session: Session, signal: AbortSignal): Promise<boolean> {
    for (let ms = 0; ms < repetitionMs && !signal.aborted && !session.isResuming; ms += listeningStepMs)
      await wait(this.#options.timers, listeningStepMs, signal);
    return session.isResuming;
  }

  async #attend(session: Session, signal: AbortSignal): Promise<void> {
    const { timers, password } = this.#options;
    while (!signal.aborted) {
      await wait(timers, this.#isRegistered ? enquiryEveryMs : askAgainMs, signal);
      if (signal.aborted || session.isBusy) continue;
      if (this.#isRegistered) await session.run(statusEnquiry(password), nobody, quickCommandMs);
      else {
        const greeting = await this.#greet(session);
        if (typeof greeting === 'object') this.#registered(greeting);
      }
    }
  }

  #registered(registered: Registered): void {
    this.#isRegistered = true;
    this.#options.onRegistered(registered);
  }

  async #greet(session: Session): Promise<Greeting> {
    const { password } = this.#options;
    let ended = await session.run(registration(password, usualCurrency), nobody, quickCommandMs);
    // The refusal of a currency names the right one.
    const own = ended.kind === 'refused' ? refusedCurrency(ended.data) : undefined;
    if (own !== undefined) ended = await session.run(registration(password, own), nobody, quickCommandMs);
    if (ended.kind !== 'completed') return failed(ended);
    const { terminalId, needs } = readRegistration(ended.data);
    if (terminalId === undefined) return 'refused';
    const wasEmpty = (needs & needsInitialisation) !== 0;
    if (wasEmpty) await session.run(initialisation(password), nobody);
    if ((needs & needsDiagnosis) !== 0) await session.run(diagnosis, nobody);
    const state = await session.run(statusEnquiry(password), nobody, quickCommandMs);
    if (state.kind === 'lost') return 'silent';
    return { terminalId, wasEmpty, firmware: state.kind === 'completed' ? readState(state.data).firmware : undefined };
  }
}

function failed(ended: Exclude<Ended, { kind: 'completed' }>): Greeting {
  if (ended.kind === 'lost') return 'silent';
  return ended.code === pleaseWait ? 'busy' : 'refused';
}

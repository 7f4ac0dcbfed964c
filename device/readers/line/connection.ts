import type { Random, Timers } from '@florin/shared/ports.ts';
import { wait } from '@florin/shared/ports.ts';
import type { Discovery } from '../serial/discovery.ts';
import { type LostReason, Session, type SessionOptions, type SessionRefusal } from './session.ts';

/** Keeps one session open: finds the reader, tries the baud rates, and reconnects when the line is lost. */
export type ConnectionOptions = Pick<
  SessionOptions,
  'openPort' | 'onEvent' | 'onResult' | 'onHeartbeat' | 'onFailure' | 'onOpenFailed' | 'onPan'
> & {
  readonly discovery: Discovery;
  /** Tried in this order, at HELLO only. */
  readonly baudRates: readonly number[];
  readonly hostName: string;
  readonly timers: Timers;
  readonly random: Random;
  readonly onUp: (session: Session) => void;
  readonly onDown: (reason: LostReason) => void;
  /** Why the last search found nothing; called at each change. */
  readonly onSearching: (refusal: SessionRefusal | undefined) => void;
};

const searchEveryMs = 500;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #ended = new AbortController();
  readonly #searching: Promise<void>;
  #session: Session | undefined;
  #lost: (() => void) | undefined;
  /** The baud rate that worked last, tried first. */
  #baudRate: number | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#searching = this.#keepUp();
  }

  get session(): Session | undefined {
    return this.#session;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#lost?.();
    await this.#session?.close();
    await this.#searching;
  }

  async #keepUp(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const found = await this.#look();
      if (this.#ended.signal.aborted) return found?.close();
      if (found === undefined) {
        await wait(this.#options.timers, searchEveryMs, this.#ended.signal);
        continue;
      }
      await this.#held(found);
    }
  }

  /** Tries all ports and baud rates once; the most informative refusal is reported. */
  async #look(): Promise<Session | undefined> {
    let refusal: SessionRefusal | undefined;
    for (const path of await this.#options.discovery.candidates()) {
      for (const baudRate of this.#speeds()) {
        if (this.#ended.signal.aborted) return undefined;
        const opened = await this.#open(path, baudRate);
        if (opened !== undefined && typeof opened !== 'string') {
          this.#baudRate = baudRate;
          return opened;
        }
        if (opened !== undefined && opened !== 'not_there') refusal = opened;
        // Only a missing response can mean a wrong baud rate.
        if (opened !== 'silent') break;
      }
    }
    this.#options.onSearching(refusal);
    return undefined;
  }

  async #open(path: string, baudRate: number): Promise<Session | SessionRefusal | undefined> {
    const { openPort, timers, random, hostName, onEvent, onResult, onHeartbeat, onFailure, onOpenFailed, onPan } =
      this.#options;
    const opened = await Session.open({
      openPort,
      path,
      baudRate,
      timers,
      random,
      hostName,
      onEvent,
      onResult,
      onHeartbeat,
      onFailure,
      onOpenFailed,
      onPan,
      onLost: reason => {
        this.#session = undefined;
        this.#options.onDown(reason);
        this.#lost?.();
      },
    });
    return opened.ok ? opened.value : opened.refusal;
  }

  #held(session: Session): Promise<void> {
    return new Promise(resolve => {
      this.#lost = resolve;
      this.#session = session;
      this.#options.onUp(session);
    });
  }

  #speeds(): readonly number[] {
    const first = this.#baudRate;
    if (first === undefined) return this.#options.baudRates;
    return [first, ...this.#options.baudRates.filter(rate => rate !== first)];
  }
}

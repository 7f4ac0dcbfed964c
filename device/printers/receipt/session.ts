import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { type Link, type LinkAddress, openLink } from './link.ts';

/** Finds a value in the bytes that were received; undefined while it is not complete. */
export type Finder<Value> = (bytes: Buffer) => { readonly value: Value; readonly end: number } | undefined;

/** An open connection to a printer with what it sent. */
export class Session {
  readonly #timers: Timers;
  #link: Link | undefined;
  #received: Buffer = Buffer.alloc(0);
  #look: (() => void) | undefined;

  private constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Undefined if the printer cannot be reached. */
  static async open(address: LinkAddress, timers: Timers): Promise<Session | undefined> {
    const session = new Session(timers);
    session.#link = await openLink(address, { timers, onData: bytes => session.#receive(bytes) });
    return session.#link && session;
  }

  send(bytes: Uint8Array): Promise<boolean> {
    return this.#link?.write(bytes) ?? Promise.resolve(false);
  }

  /** The next value in what the printer sends; undefined if it does not send it within the time. */
  receive<Value>(find: Finder<Value>, withinMs: number): Promise<Value | undefined> {
    return new Promise(resolve => {
      const over = (value: Value | undefined) => {
        cancel();
        this.#look = undefined;
        resolve(value);
      };
      const cancel: Cancel = this.#timers.after(withinMs, () => over(undefined));
      this.#look = () => {
        const found = find(this.#received);
        if (!found) return;
        this.#received = this.#received.subarray(found.end);
        over(found.value);
      };
      this.#look();
    });
  }

  close(): Promise<void> {
    return this.#link?.close() ?? Promise.resolve();
  }

  #receive(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    this.#look?.();
  }
}

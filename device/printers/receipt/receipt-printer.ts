import type { Cancel, Log, Timers } from '@florin/shared/ports.ts';
import type { Paper, Printer, PrinterStatus, PrinterTrouble, PrintOutcome } from '../printer.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';
import { encodedPaper, type PaperWidthMm, type PrinterLanguage } from './encode.ts';
import type { LinkAddress } from './link.ts';
import { Session } from './session.ts';

/** How often a printer that is not printing is asked for its state. */
const askEveryMs = 15_000;
/** The same while something keeps it from printing, which a person is about to put right. */
const askAgainMs = 3_000;
/** A receipt takes one to three seconds. */
const printedWithinMs = 8_000;
/** How often it is asked meanwhile whether it has stopped. */
const lookEveryMs = 1_000;

export type ReceiptPrinterOptions = {
  readonly address: LinkAddress;
  readonly language: PrinterLanguage;
  readonly widthMm: PaperWidthMm;
  readonly timers: Timers;
  readonly log: Log;
};

/** Opens a receipt printer and asks it for its state from now on. */
export function openReceiptPrinter(options: ReceiptPrinterOptions): Printer {
  return new ReceiptPrinter(options);
}

class ReceiptPrinter implements Printer {
  readonly #options: ReceiptPrinterOptions;
  readonly #dialect: Dialect;
  readonly #listeners = new Set<(status: PrinterStatus) => void>();
  #status: PrinterStatus = 'checking';
  /** One piece of work at a time. */
  #work: Promise<unknown> = Promise.resolve();
  #next: Cancel | undefined;
  #isClosed = false;

  constructor(options: ReceiptPrinterOptions) {
    this.#options = options;
    this.#dialect = dialects[options.language];
    this.#ask();
  }

  status(): PrinterStatus {
    return this.#status;
  }

  onStatus(listener: (status: PrinterStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async print(paper: Paper): Promise<PrintOutcome> {
    const outcome = await this.#inTurn(() => this.#print(paper));
    this.#set(outcome.kind === 'printed' ? 'ready' : outcome.why);
    if (outcome.kind !== 'printed') this.#options.log.warn(outcome, 'a receipt was not printed');
    return outcome;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#next?.();
    this.#listeners.clear();
    await this.#work;
  }

  async #print(paper: Paper): Promise<PrintOutcome> {
    const { address, language, widthMm, timers } = this.#options;
    const session = await Session.open(address, timers);
    if (!session) return { kind: 'not_printed', why: 'not_reachable' };
    try {
      const trouble = await this.#dialect.trouble(session);
      if (trouble) return { kind: 'not_printed', why: trouble };
      const confirmation = await this.#dialect.confirmation(session);
      const bytes = encodedPaper(paper, { language, widthMm });
      if (!(await session.send(Buffer.concat([bytes, confirmation.bytes]))))
        return { kind: 'unknown', why: (await this.#dialect.trouble(session)) ?? 'error' };
      for (let waitedMs = 0; waitedMs < printedWithinMs; waitedMs += lookEveryMs) {
        if (await confirmation.isPrinted(lookEveryMs)) return { kind: 'printed' };
        const why = await this.#dialect.trouble(session);
        if (why && why !== 'error') return { kind: 'unknown', why };
      }
      // Some printers never confirm. One that is online and has paper after this time has printed it.
      const why = await this.#dialect.trouble(session);
      return why ? { kind: 'unknown', why } : { kind: 'printed' };
    } finally {
      await session.close();
    }
  }

  #ask(): void {
    if (this.#isClosed) return;
    void this.#inTurn(() => this.#trouble()).then(trouble => {
      if (this.#isClosed) return;
      this.#set(trouble ?? 'ready');
      this.#next = this.#options.timers.after(trouble ? askAgainMs : askEveryMs, () => this.#ask());
    });
  }

  async #trouble(): Promise<PrinterTrouble | null> {
    const session = await Session.open(this.#options.address, this.#options.timers);
    if (!session) return 'not_reachable';
    try {
      return await this.#dialect.trouble(session);
    } finally {
      await session.close();
    }
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#work.then(work);
    this.#work = turn.catch((error: unknown) =>
      this.#options.log.error({ error: String(error) }, 'the printer failed'),
    );
    return turn;
  }

  #set(status: PrinterStatus): void {
    if (this.#isClosed || status === this.#status) return;
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }
}

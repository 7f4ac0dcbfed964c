import type { Paper, Printer, PrinterStatus, PrintOutcome } from '@florin/device/printers/printer.ts';

/** A printer that a test controls; at first none is set up. Like a real one it keeps its paper when the terminal is killed. */
export class ScriptedPrinter implements Printer {
  readonly papers: Paper[] = [];
  /** How prints end. */
  outcome: PrintOutcome = { kind: 'printed' };
  #status: PrinterStatus = 'none';
  #isHeld = false;
  #release: (() => void) | undefined;
  readonly #listeners = new Set<(status: PrinterStatus) => void>();

  status(): PrinterStatus {
    return this.#status;
  }

  onStatus(listener: (status: PrinterStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  becomes(status: PrinterStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  /** The next print takes until `release`. */
  holds(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#release?.();
  }

  async print(paper: Paper): Promise<PrintOutcome> {
    if (this.outcome.kind !== 'not_printed') this.papers.push(paper);
    if (this.#isHeld)
      await new Promise<void>(resolve => {
        this.#release = resolve;
      });
    return this.outcome;
  }

  /** The text of each paper. */
  texts(): string[] {
    return this.papers.map(paper =>
      paper
        .map(block => {
          if (block.kind === 'fact') return `${block.label}: ${block.value}`;
          return 'text' in block ? block.text : '';
        })
        .join('\n'),
    );
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

/** Room for them in one request to the service, with each line as a string of its JSON. */
const maxBytes = 80_000;
const maxLines = 500;
const maxLineLength = 2_000;

/** The last lines of a log, for support. */
export class RecentLines {
  readonly #lines: string[] = [];
  readonly #first: readonly string[];
  #bytes: number;

  /** With a line that stays the first, if there is one. */
  constructor(first?: string) {
    this.#first = first === undefined ? [] : [shortened(first)];
    this.#bytes = this.#first.reduce((sum, line) => sum + bytesOf(line), 0);
  }

  add(line: string): void {
    const kept = shortened(line);
    this.#lines.push(kept);
    this.#bytes += bytesOf(kept);
    while (this.#lines.length > maxLines || this.#bytes > maxBytes) this.#bytes -= bytesOf(this.#lines.shift() ?? '');
  }

  /** Oldest first. */
  all(): string[] {
    return [...this.#first, ...this.#lines];
  }
}

const shortened = (line: string) => line.trimEnd().slice(0, maxLineLength);
const bytesOf = (line: string) => Buffer.byteLength(JSON.stringify(line));

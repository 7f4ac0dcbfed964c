/** Room for them in one request to the service, with each line as a string of its JSON. */
const maxBytes = 80_000;
const maxLines = 500;
const maxLineLength = 2_000;

/** The last lines of a log, for support. */
export class RecentLines {
  readonly #lines: string[] = [];
  #bytes = 0;

  add(line: string): void {
    const kept = line.trimEnd().slice(0, maxLineLength);
    this.#lines.push(kept);
    this.#bytes += bytesOf(kept);
    while (this.#lines.length > maxLines || this.#bytes > maxBytes) this.#bytes -= bytesOf(this.#lines.shift() ?? '');
  }

  /** Oldest first. */
  all(): string[] {
    return [...this.#lines];
  }
}

const bytesOf = (line: string) => Buffer.byteLength(JSON.stringify(line));

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';
import type { ListedTransaction } from '../program.ts';

/**
 * The reader's non-volatile memory: survives a reboot and, with a data folder, the end of the program. It never
 * contains card data.
 */
const storedTransaction = z.object({
  txn: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  exponent: z.int(),
  state: z.enum(['active', 'done', 'reversed']),
  /** Whether the host has confirmed that it stored the result. */
  confirmed: z.boolean(),
  result: z.record(z.string(), z.string()).optional(),
});
export type StoredTransaction = z.output<typeof storedTransaction>;

const contents = z.object({
  readerNumber: z.string(),
  keyCounter: z.int(),
  transactions: z.array(storedTransaction),
});
type Contents = z.output<typeof contents>;

/** The protocol requires at least 16. */
const keptTransactions = 32;

export class ReaderMemory {
  readonly #path: string | undefined;
  #contents: Contents;

  private constructor(path: string | undefined, initial: Contents) {
    this.#path = path;
    this.#contents = initial;
  }

  /** Opens the memory in `folder`, or in-process memory. */
  static open(options: { folder?: string; readerNumber: string }): ReaderMemory {
    const empty: Contents = { readerNumber: options.readerNumber, keyCounter: 0, transactions: [] };
    if (options.folder === undefined) return new ReaderMemory(undefined, empty);
    makeFolder(options.folder);
    const path = join(options.folder, 'reader-memory.json');
    const stored = existsSync(path) ? contents.parse(JSON.parse(readFileSync(path, 'utf8'))) : empty;
    return new ReaderMemory(path, stored);
  }

  get readerNumber(): string {
    return this.#contents.readerNumber;
  }

  get transactions(): readonly StoredTransaction[] {
    return this.#contents.transactions;
  }

  /** As the page lists them. */
  listed(): readonly ListedTransaction[] {
    return this.transactions.map(({ result, ...stored }) => ({ ...stored, outcome: result?.outcome ?? null }));
  }

  /** A number never used before by this reader, for a card block's key. */
  nextKeyCounter(): number {
    const keyCounter = this.#contents.keyCounter + 1;
    this.#save({ ...this.#contents, keyCounter });
    return keyCounter;
  }

  find(txn: string): StoredTransaction | undefined {
    return this.#contents.transactions.find(transaction => transaction.txn === txn);
  }

  /** The finished transaction whose result the host has not confirmed; it blocks a new one. */
  unconfirmed(): StoredTransaction | undefined {
    return this.#contents.transactions.find(({ state, confirmed }) => state === 'done' && !confirmed);
  }

  put(transaction: StoredTransaction): void {
    const stored = this.#contents.transactions;
    const next =
      this.find(transaction.txn) === undefined
        ? [...stored, transaction].slice(-keptTransactions)
        : stored.map(other => (other.txn === transaction.txn ? transaction : other));
    this.#save({ ...this.#contents, transactions: next });
  }

  /** Ends transactions interrupted by a power cut: the card is gone, so no answer can reach it. */
  endInterrupted(): void {
    for (const stored of this.transactions.filter(({ state }) => state === 'active'))
      this.put({ ...stored, state: 'done', result: { outcome: 'error', by: 'reader', code: 'REBOOTED' } });
  }

  /** Factory reset, as after a repair. */
  wipe(): void {
    this.#save({ ...this.#contents, transactions: [] });
  }

  #save(next: Contents): void {
    this.#contents = next;
    if (this.#path === undefined) return;
    const fresh = `${this.#path}.new`;
    const file = openSync(fresh, 'w', 0o600);
    writeSync(file, JSON.stringify(next, null, 2));
    fsyncSync(file);
    closeSync(file);
    renameSync(fresh, this.#path);
  }
}

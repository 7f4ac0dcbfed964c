import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';

/** The reader's non-volatile memory: its registration, its numbers, and the turnover since the last end of day. */
const storedTransaction = z.object({
  kind: z.enum(['payment', 'refund', 'reversal']),
  receipt: z.int(),
  trace: z.int(),
  amountMinor: z.int(),
  /** Three digits. */
  currency: z.string(),
  scheme: z.string(),
  /** Two hexadecimal digits; 00 for success. */
  result: z.string(),
  /** The processor's reference, 0 without one. */
  reference: z.int(),
  state: z.enum(['unacknowledged', 'stored', 'reversed']),
  /** The body of the status information, in hexadecimal digits. */
  status: z.string(),
});
export type StoredTransaction = z.output<typeof storedTransaction>;

/** A request to the processor whose answer has not arrived. */
const pending = z.object({ kind: z.enum(['payment', 'refund']), amountMinor: z.int(), currency: z.string() });

const contents = z.object({
  isInitialised: z.boolean(),
  /** As the till sent it with its registration. */
  settings: z.int(),
  printsBlocks: z.boolean(),
  receipt: z.int(),
  trace: z.int(),
  turnover: z.array(storedTransaction),
  last: storedTransaction.optional(),
  pending: pending.optional(),
});
type Contents = z.output<typeof contents>;

const fresh: Contents = {
  isInitialised: true,
  settings: 0,
  printsBlocks: false,
  receipt: 0,
  trace: 0,
  turnover: [],
};

/** Made-up, like the number of the merchant's contract. */
const defaultTerminalId = '65000028';

export class ZvtMemory {
  /** Eight digits, which tell the reader from all others of the merchant. */
  readonly terminalId: string;
  readonly #path: string | undefined;
  #contents: Contents;

  private constructor(path: string | undefined, initial: Contents, terminalId = defaultTerminalId) {
    this.terminalId = terminalId;
    this.#path = path;
    this.#contents = initial;
  }

  /** Opens the memory in `folder`, or in-process memory. */
  static open(folder?: string, terminalId?: string): ZvtMemory {
    if (folder === undefined) return new ZvtMemory(undefined, fresh, terminalId);
    makeFolder(folder);
    const path = join(folder, 'zvt-memory.json');
    const kept = existsSync(path) ? contents.parse(JSON.parse(readFileSync(path, 'utf8'))) : fresh;
    return new ZvtMemory(path, kept, terminalId);
  }

  get now(): Contents {
    return this.#contents;
  }

  update(change: Partial<Contents>): void {
    this.#save({ ...this.#contents, ...change });
  }

  /** The numbers of the next transaction, which are never used again before they wrap. */
  takeNumbers({ withReceipt }: { withReceipt: boolean }): { receipt: number; trace: number } {
    const { receipt, trace } = this.#contents;
    const next = { receipt: withReceipt ? (receipt % 9999) + 1 : receipt, trace: (trace % 999_999) + 1 };
    this.update(next);
    return next;
  }

  /** The transaction becomes the last one; a success also counts as turnover. */
  add(transaction: StoredTransaction): void {
    const isTurnover = transaction.result === '00';
    const { turnover } = this.#contents;
    this.update({ last: transaction, ...(isTurnover ? { turnover: [...turnover, transaction] } : {}) });
  }

  /** Changes the state of a transaction, by its trace number. */
  mark(trace: number, state: StoredTransaction['state']): void {
    const { last, turnover } = this.#contents;
    this.update({
      turnover: turnover.map(one => (one.trace === trace ? { ...one, state } : one)),
      ...(last?.trace === trace ? { last: { ...last, state } } : {}),
    });
  }

  /** As after a repair: the reader has to be initialised again. */
  wipe(): void {
    this.#save({ ...fresh, isInitialised: false });
  }

  #save(next: Contents): void {
    this.#contents = next;
    if (this.#path === undefined) return;
    const aside = `${this.#path}.new`;
    const file = openSync(aside, 'w', 0o600);
    writeSync(file, JSON.stringify(next, null, 2));
    fsyncSync(file);
    closeSync(file);
    renameSync(aside, this.#path);
  }
}

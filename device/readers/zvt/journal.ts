import type { Random } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { ReaderOutcome, ReaderStorage } from '../reader.ts';
import { type StatusFacts, statusFacts } from './messages.ts';

/**
 * What the driver knows of its transactions, in the terminal's storage. The protocol has no transaction ids: a reader knows
 * only its last transaction, so which one that was before is written down here before each command that moves money.
 */
const lastTransaction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('facts'), facts: statusFacts }),
  /** The reader has none to report, and says so with this code. */
  z.object({ kind: z.literal('none'), code: z.int() }),
]);
/** The last transaction that a reader reports. */
export type LastTransaction = z.output<typeof lastTransaction>;

const receipt = z.object({
  copy: z.enum(['merchant', 'customer', 'administration']).optional(),
  lines: z.array(z.string()),
});

const entry = z.object({
  id: z.string(),
  kind: z.enum(['sale', 'void', 'refund']),
  amountMinor: z.int(),
  currency: z.string(),
  /** The reference of the sale whose money is returned. */
  saleReference: z.string().optional(),
  terminalId: z.string(),
  before: lastTransaction,
  /** `open`: it was, or may have been, sent, and its outcome is not known. `lost`: it cannot be known any more. */
  state: z.enum(['open', 'ended', 'lost']),
  isConfirmed: z.boolean(),
  facts: statusFacts.optional(),
  receipts: z.array(receipt),
  outcome: z.custom<ReaderOutcome>(value => typeof value === 'object' && value !== null && 'kind' in value).optional(),
});
export type Entry = z.output<typeof entry>;

const contents = z.object({ id: z.string(), entries: z.array(entry) });

/** Enough for the terminal to ask again, and for the refunds of a sale made shortly before. */
const keptConfirmed = 100;

export class Journal {
  readonly #storage: ReaderStorage;
  /** Distinguishes this journal from an earlier one that was lost with the terminal's storage. */
  readonly id: string;
  #entries: readonly Entry[];

  constructor(storage: ReaderStorage, random: Random) {
    this.#storage = storage;
    const stored = parse(storage.read());
    this.id = stored?.id ?? Buffer.from(random.bytes(8)).toString('hex');
    this.#entries = stored?.entries ?? [];
    if (!stored) this.#save(this.#entries);
  }

  find(id: string): Entry | undefined {
    return this.#entries.find(one => one.id === id);
  }

  /** The transaction whose outcome is not known. */
  get open(): Entry | undefined {
    return this.#entries.find(({ state }) => state === 'open');
  }

  /** The transaction that prevents the next one: its outcome is not known, or not confirmed. */
  get unconfirmed(): Entry | undefined {
    return this.#entries.find(({ isConfirmed }) => !isConfirmed);
  }

  /** What was returned of a sale, as far as this journal reaches back. */
  returnedMinor(saleReference: string): number {
    return this.#entries
      .filter(one => one.saleReference === saleReference && one.outcome?.kind === 'approved')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  }

  /** Whether this success is stored already. */
  hasApproved({ trace, receipt: number }: StatusFacts): boolean {
    const isIt = ({ outcome, facts }: Entry) =>
      outcome?.kind === 'approved' && facts?.trace === trace && facts?.receipt === number;
    return (trace ?? number) !== undefined && this.#entries.some(isIt);
  }

  /** Called before the command is sent. */
  begin(given: Omit<Entry, 'state' | 'isConfirmed' | 'receipts'>): void {
    const begun: Entry = { ...given, state: 'open', isConfirmed: false, receipts: [] };
    this.#save([...this.#entries.filter(({ id }) => id !== given.id), begun]);
  }

  /** Called before what it holds is acknowledged to the reader. */
  update(id: string, change: Partial<Pick<Entry, 'facts' | 'receipts' | 'state' | 'outcome' | 'isConfirmed'>>): void {
    this.#save(this.#entries.map(one => (one.id === id ? { ...one, ...change } : one)));
  }

  /** The reader refused the command: it was never begun. */
  withdraw(id: string): void {
    this.#save(this.#entries.filter(one => one.id !== id));
  }

  #save(entries: readonly Entry[]): void {
    const excess = entries.filter(({ isConfirmed }) => isConfirmed).length - keptConfirmed;
    const dropped = new Set(excess > 0 ? entries.filter(({ isConfirmed }) => isConfirmed).slice(0, excess) : []);
    const kept = entries.filter(one => !dropped.has(one));
    this.#storage.write(JSON.stringify({ id: this.id, entries: kept }));
    this.#entries = kept;
  }
}

/** Undefined without a journal, or with one that cannot be read: its transactions count as lost. */
function parse(text: string | undefined): z.output<typeof contents> | undefined {
  if (text === undefined) return undefined;
  try {
    return contents.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { getSale, type SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { CardReader, ReaderMemory } from '../../readers/reader.ts';
import type { Waiting } from '../flows/waiting.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { SaleContext } from './context.ts';
import { type BankState, bankStateOf, bankStateOfReader } from './decision.ts';
import type { SaleEvent } from './machine.ts';
import { cardOfOutcome, readerFactsOf } from './outcome.ts';

type InquiryPorts = {
  readonly store: Store;
  readonly connection: Connection;
  readonly reader: CardReader;
  readonly waiting: Waiting;
  readonly context: () => SaleContext;
  /** The card dialogue is still in progress. */
  readonly readerActive: () => void;
};

type Found = Omit<Extract<SaleEvent, { type: 'FOUND' }>, 'type'>;

/** The reader's report; `bank` only from a reader that authorises by itself. */
type Remembered = Omit<Found, 'bank' | 'record'> & { readonly bank?: BankState };

const nothingRemembered = { readerDetail: null, authorisationCode: null, processorReference: null, card: null };

/** How long the terminal waits for a lost reader if the bank has approved. */
const readerGraceMs = 30_000;
const lastTimeoutMs = 8_000;
const checkPausesMs = [0, 500, 1_000, 2_000, 3_000, 5_000, 10_000];

/** Looks up the outcome of a sale at the service and at the reader, at growing intervals. It never starts a payment. */
export class SaleInquiry {
  readonly #ports: InquiryPorts;
  #checks = 0;
  #isGraceStarted = false;
  #graceOver: 'no' | 'lost' | 'active' = 'no';

  constructor(ports: InquiryPorts) {
    this.#ports = ports;
  }

  /** Undefined if the response is no longer needed after the delay. */
  async ask(isNeeded: () => boolean): Promise<Found | undefined> {
    this.#startGrace();
    const pauseMs = checkPausesMs[Math.min(this.#checks, checkPausesMs.length - 1)] ?? 0;
    this.#checks += 1;
    if (pauseMs > 0) {
      await this.#ports.waiting.pause(pauseMs);
      if (!isNeeded()) return undefined;
    }
    const [service, reader] = await Promise.all([this.#askService(), this.#askReader()]);
    return { ...service, ...reader, bank: reader.bank ?? service.bank };
  }

  #startGrace(): void {
    if (this.#isGraceStarted) return;
    this.#isGraceStarted = true;
    const { waiting } = this.#ports;
    waiting.after(readerGraceMs, () => {
      this.#graceOver = 'lost';
      waiting.wake();
      // A reader that responds without ending its dialogue gets more time.
      waiting.after(readerGraceMs, () => {
        this.#graceOver = 'active';
        waiting.wake();
      });
    });
  }

  async #askService(): Promise<{ bank: BankState | null; record: SaleRecord | null }> {
    const { bank, saleId, authorisation } = this.#ports.context();
    if (authorisation === 'reader') return { bank: null, record: null };
    if (bank === 'declined' || bank === 'approved' || bank === 'failed' || bank === 'returned') {
      return { bank: null, record: null };
    }
    const answer = await this.#ports.connection.call(getSale, { params: { saleId } });
    if (answer.kind === 'answered') {
      this.#ports.store.saveSales([answer.body]);
      return { bank: bankStateOf(answer.body), record: answer.body };
    }
    if (answer.kind === 'refused' && answer.status === 404 && (bank === 'unknown' || bank === 'pending')) {
      return { bank: 'not_found', record: null };
    }
    return { bank: null, record: null };
  }

  async #askReader(): Promise<Remembered> {
    const { reader, transactionId, readerBootId } = this.#ports.context();
    const asked = reader === 'not_reported' || reader === 'active' || reader === 'lost' || reader === 'gone';
    if (!asked) return { ...nothingRemembered, reader: null };
    const { waiting } = this.#ports;
    const memory = await Promise.race([
      this.#ports.reader.last(transactionId, ...(readerBootId === null ? [] : [{ underBootId: readerBootId }])),
      new Promise<ReaderMemory>(resolve => waiting.after(lastTimeoutMs, () => resolve({ kind: 'unreachable' }))),
    ]);
    return this.#rememberedBy(memory);
  }

  #rememberedBy(memory: ReaderMemory): Remembered {
    const nothing = nothingRemembered;
    const isBank = this.#ports.context().authorisation === 'reader';
    switch (memory.kind) {
      case 'unknown_to_reader':
        // The transaction never reached the reader, so the reader has authorised nothing.
        return { reader: 'forgotten', ...nothing, ...(isBank ? { bank: 'not_asked' } : {}) };
      case 'forgotten':
        return { reader: 'forgotten', ...nothing };
      case 'reversed':
        return { reader: 'reversed', ...nothing };
      case 'done': {
        const facts = { ...readerFactsOf(memory.outcome), card: isBank ? cardOfOutcome(memory.outcome) : null };
        if (facts.reader === 'lost') return { ...facts, reader: this.#graceOver === 'no' ? 'lost' : 'gone' };
        return { ...facts, ...(isBank ? { bank: bankStateOfReader(memory.outcome) } : {}) };
      }
      case 'active':
        this.#ports.readerActive();
        return { reader: this.#graceOver === 'active' ? 'gone' : 'active', ...nothing };
      case 'unreachable':
        return { reader: this.#graceOver === 'no' ? 'lost' : 'gone', ...nothing };
    }
  }
}

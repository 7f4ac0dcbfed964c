import { authoriseSale, getSale, type SaleRecord } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import type { ReadCard } from '../../readers/reader.ts';
import type { Waiting } from '../flows/waiting.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { SaleContext } from './context.ts';
import { bankStateOf } from './decision.ts';
import type { SaleEvent } from './machine.ts';
import { unsigned } from './outcome.ts';

type BankEvent = Extract<SaleEvent, { type: 'BANK_ANSWERED' | 'BANK_REFUSED' | 'BANK_NOT_REACHED' | 'BANK_SILENT' }>;

type BankRequestPorts = {
  readonly connection: Connection;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly waiting: Waiting;
  readonly context: () => SaleContext;
  /** Whether the outcome must still be looked up. */
  readonly isWaiting: () => boolean;
  /** Whether the reader's dialogue can still receive the outcome. */
  readonly isReaderWaiting: () => boolean;
};

const authoriseTimeoutMs = 35_000;
/** How long the card may wait in the reader while the outcome is looked up. */
const dialogueMs = 45_000;
const authoriseTries = 4;
const retryPauseMs = 1_500;

/** Sends one authorisation request for a card through the service and looks up its outcome if the response is lost. */
export class BankRequest {
  readonly #ports: BankRequestPorts;

  constructor(ports: BankRequestPorts) {
    this.#ports = ports;
  }

  /** The card data sent, and the outcome. */
  async ask(card: ReadCard): Promise<BankEvent> {
    const { connection, clock, log, waiting } = this.#ports;
    const context = this.#ports.context();
    const { saleId, amountMinor, tipMinor: tipInCents, currency, startedAt, reference } = context;
    const deadline = clock.now() + dialogueMs;
    const { encryptedBlock, keySerialNumber, entryMode, scheme, lastFour, applicationId } = card;
    const shown = lastFour !== null && /^\d{4}$/.test(lastFour) && scheme !== null ? { scheme, lastFour } : {};
    const body = {
      amountInCents: amountMinor,
      tipInCents,
      currency,
      startedAt: new Date(startedAt).toISOString(),
      reference,
      card: { encryptedBlock, keySerialNumber, entryMode, applicationId, ...shown, ...unsigned(context) },
    };
    let certainlyNotAsked = true;
    for (let tries = 1; ; tries += 1) {
      // Idempotent: the same saleId authorises once, and every further call returns the outcome.
      const answer = await connection.call(authoriseSale, { params: { saleId }, body, timeoutMs: authoriseTimeoutMs });
      if (answer.kind === 'answered') return this.#decided(answer.body, deadline);
      if (answer.kind === 'refused' && certainlyNotAsked) return { type: 'BANK_REFUSED', message: answer.message };
      if (answer.kind === 'unknown') {
        certainlyNotAsked = false;
        const found = await connection.call(getSale, { params: { saleId } });
        if (found.kind === 'answered') return this.#decided(found.body, deadline);
      }
      if (tries >= authoriseTries || clock.now() >= deadline) break;
      log.warn({ saleId, tries, response: answer.kind }, 'the authorisation of a sale is requested again');
      await waiting.pause(retryPauseMs);
    }
    log.warn({ saleId, certainlyNotAsked }, 'the service reported no outcome of an authorisation');
    return { type: certainlyNotAsked ? 'BANK_NOT_REACHED' : 'BANK_SILENT' };
  }

  /** The service's current record while the request is still in progress; undefined if it is not needed. */
  async read(): Promise<BankEvent | undefined> {
    if (!this.#ports.isWaiting()) return undefined;
    const { saleId } = this.#ports.context();
    const answer = await this.#ports.connection.call(getSale, { params: { saleId } });
    if (answer.kind !== 'answered' || bankStateOf(answer.body) === 'pending') return undefined;
    return this.#answered(answer.body);
  }

  /** A pending sale is looked up while the reader waits for the outcome, because most banks respond within seconds. */
  async #decided(first: SaleRecord, deadline: Instant): Promise<BankEvent> {
    const { connection, clock, waiting, isWaiting, isReaderWaiting } = this.#ports;
    const mayAnswer = () => clock.now() < deadline && isWaiting() && isReaderWaiting();
    let record = first;
    while (bankStateOf(record) === 'pending' && mayAnswer()) {
      await waiting.pause(retryPauseMs);
      const answer = await connection.call(getSale, { params: { saleId: record.saleId } });
      if (answer.kind === 'answered') record = answer.body;
    }
    return this.#answered(record);
  }

  #answered(record: SaleRecord): BankEvent {
    this.#ports.store.saveSales([record]);
    return { type: 'BANK_ANSWERED', record };
  }
}

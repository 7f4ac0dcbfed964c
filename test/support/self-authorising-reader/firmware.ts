import type { Timers } from '@florin/shared/ports.ts';
import { decode, encode, type FinalOutcome, type LastAnswer, type Question, question } from './wire.ts';

export type ProcessorAnswer = 'approved' | 'declined' | 'unknown';

type Transaction = {
  readonly ask: Extract<Question, { ask: 'sale' | 'void' | 'refund' }>;
  stage: Extract<LastAnswer, { is: 'active' }>['stage'];
  entryMode: 'chip' | 'contactless';
  outcome: FinalOutcome | undefined;
  isConfirmed: boolean;
};

/** The firmware of a reader that authorises with its own processor. It also keeps the processor's ledger. */
export class SelfAuthorisingFirmware {
  readonly #timers: Timers;
  readonly #send: (line: string) => void;
  readonly #transactions = new Map<string, Transaction>();
  readonly #answers: (ProcessorAnswer | Promise<ProcessorAnswer>)[] = [];
  #boots = 1;
  #references = 0;
  isCardInside = false;
  hasSettled = false;
  /** The amount that the processor took for each sale less the amount returned, by the sale's reference. */
  readonly held = new Map<string, number>();
  /** How often the processor moved money for each transaction. */
  readonly movements = new Map<string, number>();

  constructor(options: { readonly timers: Timers; readonly send: (line: string) => void }) {
    this.#timers = options.timers;
    this.#send = options.send;
  }

  answersNext(answer: ProcessorAnswer | Promise<ProcessorAnswer>): void {
    this.#answers.push(answer);
  }

  /** All transactions that it received. */
  transactions(): string[] {
    return [...this.#transactions.keys()];
  }

  /** Turns the power off and on; a transaction in progress ends without an approval. */
  restart(): void {
    this.#boots += 1;
    for (const one of this.#transactions.values()) one.outcome ??= { kind: 'declined', by: 'reader', code: 'REBOOTED' };
  }

  forget(): void {
    this.#transactions.clear();
    this.restart();
  }

  receive(line: string): void {
    const decoded = decode(line);
    const asked = question.safeParse(decoded?.content);
    if (decoded && asked.success) this.#send(encode(decoded.number, this.#answer(asked.data)));
  }

  #answer(asked: Question): unknown {
    switch (asked.ask) {
      case 'state':
        return {
          nonce: asked.nonce,
          serial: 'SA-1',
          firmware: '1.0',
          boot: String(this.#boots),
          card: this.isCardInside,
          unconfirmed: this.#unconfirmed(),
        };
      case 'sale':
      case 'void':
      case 'refund':
        return this.#begin(asked);
      case 'last':
        return this.#last(asked.id);
      case 'cancel': {
        const active = this.#transactions.get(asked.id);
        if (active?.stage !== 'authorising') this.#finish(active, { kind: 'cancelled', by: 'staff' });
        return {};
      }
      case 'confirm': {
        const done = this.#transactions.get(asked.id);
        if (done?.outcome) done.isConfirmed = true;
        return {};
      }
    }
  }

  #begin(ask: Transaction['ask']): unknown {
    const known = this.#transactions.get(ask.id);
    if (known) return JSON.stringify(known.ask) === JSON.stringify(ask) ? {} : { refused: 'txn_mismatch' };
    const blocking = this.#unconfirmed() ?? this.#active()?.ask.id;
    if (blocking !== undefined) return { refused: 'pending', blocking };
    const begun: Transaction = {
      ask,
      stage: 'present_card',
      entryMode: 'chip',
      outcome: undefined,
      isConfirmed: false,
    };
    this.#transactions.set(ask.id, begun);
    if (ask.ask === 'sale')
      this.#timers.after(ask.timeoutMs, () => {
        if (begun.stage === 'present_card') this.#finish(begun, { kind: 'timed_out' });
      });
    else this.#finish(begun, this.#giveBack(ask));
    return {};
  }

  #giveBack(ask: Extract<Transaction['ask'], { ask: 'void' | 'refund' }>): FinalOutcome {
    const heldMinor = this.held.get(ask.sale);
    if (heldMinor === undefined) return { kind: 'declined', by: 'host', code: 'NO_SALE' };
    if (ask.ask === 'void' && this.hasSettled) return { kind: 'not_available', reason: 'settled' };
    const amountMinor = ask.ask === 'void' ? heldMinor : ask.amountMinor;
    if (amountMinor <= 0 || amountMinor > heldMinor) return { kind: 'declined', by: 'host', code: 'EXCEEDS' };
    this.held.set(ask.sale, heldMinor - amountMinor);
    return this.#approval(ask.id, 'chip');
  }

  #approval(id: string, entryMode: 'chip' | 'contactless'): Extract<FinalOutcome, { kind: 'approved' }> {
    this.movements.set(id, (this.movements.get(id) ?? 0) + 1);
    this.#references += 1;
    const card = { encryptedBlock: '', keySerialNumber: '', entryMode, scheme: 'visa', lastFour: '0821' } as const;
    return { kind: 'approved', card, authorisationCode: '712345', processorReference: `R${this.#references}` };
  }

  #last(id: string): LastAnswer {
    const found = this.#transactions.get(id);
    if (!found) return { is: 'unknown' };
    return found.outcome ? { is: 'done', outcome: found.outcome } : { is: 'active', stage: found.stage };
  }

  /** A customer taps or inserts a card. */
  present(entryMode: 'chip' | 'contactless'): void {
    const active = this.#active();
    if (active?.stage !== 'present_card') return;
    active.entryMode = entryMode;
    this.isCardInside = entryMode === 'chip';
    active.stage = 'authorising';
    void Promise.resolve(this.#answers.shift() ?? 'approved').then(answer => this.#authorised(active, answer));
  }

  removeCard(): void {
    this.isCardInside = false;
  }

  customerCancels(): void {
    const active = this.#active();
    if (active?.stage === 'present_card') this.#finish(active, { kind: 'cancelled', by: 'customer' });
  }

  #authorised(sale: Transaction, answer: ProcessorAnswer): void {
    if (sale.outcome !== undefined || sale.ask.ask !== 'sale') return;
    if (answer !== 'approved') {
      const by = answer === 'declined' ? ('host' as const) : ('reader' as const);
      this.#finish(sale, { kind: 'declined', by, code: answer === 'declined' ? '05' : 'NO_HOST_ANSWER' });
      return;
    }
    const approval = this.#approval(sale.ask.id, sale.entryMode);
    this.held.set(approval.processorReference, sale.ask.amountMinor);
    this.#finish(sale, approval);
  }

  #finish(transaction: Transaction | undefined, outcome: FinalOutcome): void {
    if (transaction) transaction.outcome ??= outcome;
  }

  #active(): Transaction | undefined {
    return [...this.#transactions.values()].find(({ outcome }) => outcome === undefined);
  }

  #unconfirmed(): string | undefined {
    return [...this.#transactions.values()].find(({ outcome, isConfirmed }) => outcome && !isConfirmed)?.ask.id;
  }
}

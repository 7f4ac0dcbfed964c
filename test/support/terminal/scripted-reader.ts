import type {
  CardReader,
  HostAnswer,
  ReadCard,
  ReaderMemory,
  ReaderOutcome,
  ReaderSale,
  ReaderStage,
  ReaderStatus,
} from '@florin/device/readers/reader.ts';

const someCard: ReadCard = {
  encryptedBlock: Buffer.from('sealed card block').toString('base64'),
  keySerialNumber: 'FFFF9876543210E00001',
  entryMode: 'chip',
  scheme: 'Visa',
  lastFour: '1111',
  cardholderVerification: 'pin',
};

type Active = {
  request: ReaderSale;
  stage: ReaderStage;
  answer: HostAnswer | undefined;
  end: (outcome: ReaderOutcome) => void;
};

/**
 * A reader whose moves a test makes: it lives on when the terminal is killed, as a real one does, and keeps what it
 * decided about every transaction.
 */
export class ScriptedReader implements CardReader {
  readonly protocol = 'scripted';
  /** What the customer's card is read as. */
  card = someCard;
  /** `reader`: it asks its own processor, which says `processorSays`. */
  authorisation: CardReader['authorisation'] = 'host';
  processorOutcome: HostAnswer = { kind: 'approved', authorisationCode: 'P54321', hostCode: '00' };
  #hasForgotten = false;
  /** Cards are presented by themselves as soon as a sale begins. */
  presentsByItself = true;
  /** What the card does once the bank has approved. */
  afterApproval: ReaderOutcome['kind'] = 'approved';
  /** Cable pulled as soon as this point of the next sale is reached. */
  unplugsAt: 'card_read' | 'answered' | undefined;
  /** How often an approval was completed at the card, by transaction. */
  readonly completions = new Map<string, number>();
  /** What it was told of the bank, in order. */
  readonly hostAnswers: HostAnswer['kind'][] = [];
  /** What the terminal has stored for good. */
  readonly confirmed = new Set<string>();
  readonly #memory = new Map<string, ReaderOutcome>();
  readonly #listeners = new Set<(status: ReaderStatus) => void>();
  #status: ReaderStatus = { connection: 'ready', serial: 'R-1', batteryPercent: 80 };
  #active: Active | undefined;

  status(): ReaderStatus {
    return this.#status;
  }

  onStatus(listener: (status: ReaderStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  sale(request: ReaderSale): Promise<ReaderOutcome> {
    if (this.#status.connection === 'lost') return Promise.resolve({ kind: 'not_available', reason: 'unplugged' });
    const known = this.#memory.get(request.transactionId);
    if (known) return Promise.resolve(known);
    if (this.#active?.request.transactionId === request.transactionId) return this.#resume(this.#active, request);
    const inTheWay = this.#active?.request.transactionId ?? this.#unconfirmed;
    if (inTheWay) {
      return Promise.resolve({ kind: 'not_available', reason: 'pending', blockingTransactionId: inTheWay });
    }
    return new Promise(resolve => {
      this.#active = { request, stage: 'present_card', answer: undefined, end: resolve };
      request.onStage('present_card');
      if (this.presentsByItself) queueMicrotask(() => this.present());
    });
  }

  /** A customer puts a card in. */
  present(): void {
    const active = this.#active;
    if (!active) return;
    const { request } = active;
    this.#stage('card_inserted');
    if (this.unplugsAt === 'card_read') {
      this.unplugsAt = undefined;
      this.unplug();
      return;
    }
    this.#stage('authorising');
    this.#ask(active, request);
  }

  #ask(active: Active, request: ReaderSale): void {
    const asked =
      this.authorisation === 'reader' ? Promise.resolve(this.processorOutcome) : request.authorise(this.card);
    void asked.then(answer => {
      if (this.#active !== active) return;
      active.answer = answer;
      this.hostAnswers.push(answer.kind);
      if (this.unplugsAt === 'answered') {
        this.unplugsAt = undefined;
        this.unplug();
      } else {
        this.#finish(active, this.#decided(answer));
      }
    });
  }

  /** The same sale again: back into its dialogue. */
  #resume(active: Active, request: ReaderSale): Promise<ReaderOutcome> {
    active.request = request;
    request.onStage(active.stage);
    if (active.stage !== 'present_card') this.#ask(active, request);
    return new Promise(resolve => {
      active.end = resolve;
    });
  }

  /** A finished transaction the terminal has not yet said it stored. */
  get #unconfirmed(): string | undefined {
    return [...this.#memory.keys()].find(transactionId => !this.confirmed.has(transactionId));
  }

  #decided(answer: HostAnswer): ReaderOutcome {
    if (answer.kind === 'declined') return { kind: 'declined', by: 'host', code: answer.hostCode };
    if (answer.kind === 'unknown') return { kind: 'declined', by: 'reader', code: 'NO_HOST' };
    switch (this.afterApproval) {
      case 'approved':
        return { kind: 'approved', card: this.card, authorisationCode: answer.authorisationCode };
      case 'declined':
        return { kind: 'declined', by: 'card', code: 'AAC' };
      case 'cancelled':
        return { kind: 'cancelled', by: 'customer' };
      case 'timed_out':
        return { kind: 'timed_out' };
      case 'not_available':
        return { kind: 'not_available', reason: 'printer' };
      case 'unknown':
        return { kind: 'unknown' };
    }
  }

  #stage(stage: ReaderStage): void {
    if (!this.#active) return;
    this.#active.stage = stage;
    this.#active.request.onStage(stage);
  }

  #finish(active: Active, outcome: ReaderOutcome): void {
    const { transactionId } = active.request;
    const { end } = active;
    this.#active = undefined;
    active.end = () => undefined;
    this.#memory.set(transactionId, outcome);
    if (outcome.kind === 'approved') {
      this.completions.set(transactionId, (this.completions.get(transactionId) ?? 0) + 1);
    }
    if (this.#status.connection !== 'lost') end(outcome);
  }

  async last(transactionId: string): Promise<ReaderMemory> {
    if (this.#status.connection === 'lost') return { kind: 'unreachable' };
    const outcome = this.#memory.get(transactionId);
    if (outcome) return { kind: 'done', outcome };
    if (this.#active?.request.transactionId === transactionId) return { kind: 'active', stage: this.#active.stage };
    return { kind: this.#hasForgotten ? 'forgotten' : 'unknown_to_reader' };
  }

  async void(): Promise<ReaderOutcome> {
    return { kind: 'not_available', reason: 'not_supported' };
  }

  async refund(): Promise<ReaderOutcome> {
    return { kind: 'not_available', reason: 'not_supported' };
  }

  /** It restarts without its memory. */
  forgets(): void {
    this.#memory.clear();
    this.#active = undefined;
    this.#hasForgotten = true;
  }

  async cancel(transactionId: string): Promise<void> {
    if (this.#status.connection === 'lost') return;
    const active = this.#active;
    if (active?.request.transactionId !== transactionId) return;
    this.#finish(active, { kind: 'cancelled', by: 'staff' });
  }

  async confirm(transactionId: string): Promise<void> {
    if (this.#status.connection !== 'lost') this.confirmed.add(transactionId);
  }

  customerCancels(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'cancelled', by: 'customer' });
  }

  timesOut(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'timed_out' });
  }

  /** The customer's card stays in the slot, or is taken out at last. */
  leavesCard(isCardInserted: boolean): void {
    this.#set({ ...this.#status, isCardInserted });
  }

  /** Transactions it was ever given. */
  known(): string[] {
    const active = this.#active?.request.transactionId;
    return [...this.#memory.keys(), ...(active ? [active] : [])];
  }

  /** The terminal receives nothing more; the reader stays with its card, or ends by itself what was already answered. */
  unplug(): void {
    const active = this.#active;
    this.#set({ connection: 'lost' });
    if (!active) return;
    const { end } = active;
    if (active.answer) this.#finish(active, this.#decided(active.answer));
    end({ kind: 'unknown' });
  }

  /** Its own patience with a silent till is over. */
  givesUp(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'declined', by: 'reader', code: 'NO_HOST' });
  }

  replug(): void {
    const unconfirmed = this.#unconfirmed;
    this.#set({
      connection: 'ready',
      serial: 'R-1',
      batteryPercent: 80,
      ...(unconfirmed ? { unconfirmedTransactionId: unconfirmed } : {}),
    });
  }

  #set(status: ReaderStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

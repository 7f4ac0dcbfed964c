import type {
  CardReader,
  EndOfDayOutcome,
  HostAnswer,
  ReadCard,
  ReaderMemory,
  ReaderOutcome,
  ReaderSale,
  ReaderStage,
  ReaderStatus,
  ReaderTotals,
  TipAnswer,
  TipQuestion,
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
 * A reader that a test controls. Like a real one it keeps running when the terminal is killed, and remembers the outcome
 * of every transaction.
 */
export class ScriptedReader implements CardReader {
  readonly protocol = 'scripted';
  /** The card that the reader reads. */
  card = someCard;
  /** `reader`: it authorises with its own processor, whose answer is `processorOutcome`. */
  authorisation: CardReader['authorisation'] = 'host';
  processorOutcome: HostAnswer = { kind: 'approved', authorisationCode: 'P54321', hostCode: '00' };
  #hasForgotten = false;
  /** Whether a card is presented as soon as a sale begins. */
  presentsByItself = true;
  /** Whether the card of the previous sale is still in the reader when a sale begins. */
  isCardLeft = false;
  /** The outcome at the card once the bank has approved. */
  afterApproval: ReaderOutcome['kind'] = 'approved';
  /** The point of the next sale at which the cable is pulled. */
  unplugsAt: 'card_read' | 'answered' | undefined;
  /** What it says when its day is closed; `totals` before the outcome. */
  dayEnds: { readonly totals: ReaderTotals | null; readonly outcome: EndOfDayOutcome | Promise<EndOfDayOutcome> } = {
    totals: null,
    outcome: { kind: 'closed' },
  };
  /** Called after the totals were stored. */
  onTotalsStored: () => void = () => undefined;
  /** The customer's answer to the question for a tip, possibly a later one. */
  tipAnswer: TipAnswer | Promise<TipAnswer> = { kind: 'none' };
  readonly tipQuestions: TipQuestion[] = [];
  /** The number of times an approval was completed at the card, by transaction. */
  readonly completions = new Map<string, number>();
  /** The bank's answers that it received, in order. */
  readonly hostAnswers: HostAnswer['kind'][] = [];
  /** The transactions that the terminal confirmed as stored. */
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
      const stage = this.isCardLeft ? 'remove_card' : 'present_card';
      this.#active = { request, stage, answer: undefined, end: resolve };
      request.onStage(stage);
      if (this.presentsByItself && !this.isCardLeft) queueMicrotask(() => this.present());
    });
  }

  askTip(question: TipQuestion): Promise<TipAnswer> {
    this.tipQuestions.push(question);
    return Promise.resolve(this.tipAnswer);
  }

  /** Undefined for a reader for which the host authorises. */
  get endOfDay(): CardReader['endOfDay'] {
    if (this.authorisation === 'host') return undefined;
    return store => {
      if (this.dayEnds.totals) store(this.dayEnds.totals);
      this.onTotalsStored();
      return Promise.resolve(this.dayEnds.outcome);
    };
  }

  /** The customer of the sale before takes the card out. */
  removeCard(): void {
    this.isCardLeft = false;
    this.#stage('present_card');
  }

  /** A customer inserts a card. */
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

  /** A repeated request for the sale in progress continues its dialogue. */
  #resume(active: Active, request: ReaderSale): Promise<ReaderOutcome> {
    active.request = request;
    request.onStage(active.stage);
    if (active.stage !== 'present_card') this.#ask(active, request);
    return new Promise(resolve => {
      active.end = resolve;
    });
  }

  /** A finished transaction that the terminal has not yet confirmed as stored. */
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

  /** Restarts with an empty memory. */
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

  /** The host's answer took longer than the reader waits. */
  hostTimedOut(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'declined', by: 'reader', code: 'NO_HOST' });
  }

  customerCancels(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'cancelled', by: 'customer' });
  }

  timesOut(): void {
    if (this.#active) this.#finish(this.#active, { kind: 'timed_out' });
  }

  /** Sets whether the customer's card is in the slot. */
  leavesCard(isCardInserted: boolean): void {
    this.#set({ ...this.#status, isCardInserted });
  }

  /** All transactions that it received. */
  known(): string[] {
    const active = this.#active?.request.transactionId;
    return [...this.#memory.keys(), ...(active ? [active] : [])];
  }

  /** Pulls the cable: a sale already answered by the bank is completed by the reader alone, any other stays open. */
  unplug(): void {
    const active = this.#active;
    this.#set({ connection: 'lost' });
    if (!active) return;
    const { end } = active;
    if (active.answer) this.#finish(active, this.#decided(active.answer));
    end({ kind: 'unknown' });
  }

  /** Times out because the till does not answer. */
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

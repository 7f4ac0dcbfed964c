import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import type { Fields } from '@florin/shared/reader-line/frame.ts';
import type { Stage } from '@florin/shared/reader-line/messages.ts';
import { Dialogue, type OnlineCard, type ReaderDecline } from '../dialogue.ts';
import { dayTotals, endOfDayBody, endOfDayLines } from './day-totals.ts';
import { type Delivered, deliverReceipt, deliverStatus } from './delivery.ts';
import type { EcrLine } from './ecr-line.ts';
import type { StoredTransaction, ZvtMemory } from './memory.ts';
import { type Processor, resultCodeOf } from './processor.ts';
import { receiptLines, type StatusOf, shortStatusBody, statusBody, type UsedCard } from './status.ts';
import { apdu, bmp } from './wire.ts';

/** What a command asks for. */
export type Asked = {
  readonly kind: StoredTransaction['kind'];
  readonly amountMinor: number;
  readonly currency: string;
};

type Ports = {
  readonly memory: ZvtMemory;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly line: EcrLine;
  readonly processor: Processor;
};

type OperationOptions = Ports & {
  readonly asked: Asked | undefined;
  /** The till asks about a result that it did not acknowledge; otherwise the reader reverses it. */
  readonly keepsUnacknowledged: boolean;
  readonly nextKeyCounter: () => number;
  readonly onStage: (stage: Stage) => void;
  /** `outcome` is for the screen. */
  readonly onEnd: (outcome: string | undefined) => void;
};

/** How long a customer may take. */
const cardTimeoutMs = 90_000;
const processorMs = 300;
const printsPayments = 0x02;
const printsAdministration = 0x04;
const printsFromReader = 0x80;
const wantsProgress = 0x08;

/** Progress codes of the protocol. */
const progress: Readonly<Partial<Record<Stage, string>>> = {
  present: '0a',
  inserted: '68',
  pin: '01',
  pin_retry: '15',
  online: '04',
  remove: '0b',
};

const titles: Readonly<Record<Asked['kind'], string>> = {
  payment: 'Zahlung',
  refund: 'Gutschrift',
  reversal: 'Storno',
};

/** One command of the till, from its acceptance to its completion. */
export class Operation {
  readonly #options: OperationOptions;
  readonly #cut = new AbortController();
  dialogue: Dialogue | undefined;
  #reference = 0;
  #used: UsedCard | undefined;
  #told: Promise<unknown> = Promise.resolve();

  constructor(options: OperationOptions) {
    this.#options = options;
  }

  get asked(): Asked | undefined {
    return this.#options.asked;
  }

  /** A loss of power. */
  cut(): void {
    this.#cut.abort();
    this.dialogue?.abandon();
    this.dialogue = undefined;
  }

  /** Completes a command that has no more to say than `body`. */
  complete(body: Buffer = Buffer.alloc(0)): void {
    void this.#finish(apdu('060f', body), undefined);
  }

  /** The till names the last receipt it knows. If it misses the last payment, that is reversed. */
  synchronise(receipt: Buffer): void {
    const { memory, processor } = this.#options;
    const { last } = memory.now;
    if (receipt.length === 0 || last?.result !== '00' || last.state !== 'unacknowledged') return;
    if (Number(receipt.toString('hex')) === last.receipt) memory.mark(last.trace, 'stored');
    else if (Number(receipt.toString('hex')) === last.receipt - 1) {
      processor.reverse(last.reference);
      memory.mark(last.trace, 'reversed');
    }
  }

  async diagnosis(): Promise<void> {
    const time = new Date(this.#options.clock.now()).toISOString();
    const date = bmp('aa', time.slice(2, 10).replaceAll('-', ''));
    await this.#options.line.tell(apdu('0401', date, bmp('0c', time.slice(11, 19).replaceAll(':', ''))));
    await this.#finish(apdu('060f'), undefined);
  }

  async repeat({ withStatus }: { withStatus: boolean }): Promise<void> {
    const { last } = this.#options.memory.now;
    if (last === undefined) return this.#finish(apdu('061e', Buffer.from([0x83])), undefined);
    if (withStatus) await this.#options.line.tell(apdu('040f', Buffer.from(last.status, 'hex')), 'result');
    await this.#finish(apdu('060f'), undefined);
  }

  /** Reports the totals of the turnover; once the till has acknowledged them, the turnover is handed over. */
  async endOfDay(close: () => void): Promise<void> {
    const { memory, clock, line } = this.#options;
    const { turnover, settings, printsBlocks } = memory.now;
    const totals = dayTotals(turnover, memory.terminalId);
    const { trace } = memory.takeNumbers({ withReceipt: false });
    const delivered = await this.#deliver(endOfDayBody({ ...totals, trace, clock }), false);
    if (delivered !== 'acknowledged') return this.#finish(aborted('6c'), undefined);
    close();
    const isPrinted = (settings & printsAdministration) !== 0 && (settings & printsFromReader) !== 0;
    if (isPrinted)
      await deliverReceipt(line, { inBlocks: printsBlocks, copy: 'administration' }, endOfDayLines(totals));
    await this.#finish(apdu('060f'), undefined);
  }

  /** A payment or a refund, for which a card has to be presented. */
  withCard({ decline, hostTimeoutMs }: { decline: ReaderDecline | undefined; hostTimeoutMs: number }): Dialogue {
    const { asked, timers, random } = this.#options;
    const dialogue = new Dialogue({
      timeoutMs: cardTimeoutMs,
      hostTimeoutMs,
      amountMinor: asked?.amountMinor ?? 0,
      decline,
      readerNumber: '2A07E5',
      nextKeyCounter: this.#options.nextKeyCounter,
      timers,
      random,
      onStage: stage => this.#stage(stage),
      onOnline: card => void this.#online(dialogue, card),
      onDigits: () => undefined,
      onFinish: result => void this.#cardFinished(result),
    });
    this.dialogue = dialogue;
    return dialogue;
  }

  /** Cancels an earlier payment or refund of this batch. */
  async reverse(receipt: number): Promise<void> {
    const { memory, processor, asked } = this.#options;
    const { turnover } = memory.now;
    const found = turnover.find(one => one.receipt === receipt && one.kind !== 'reversal');
    const fits = found !== undefined && (asked?.amountMinor === 0 || found.amountMinor === asked?.amountMinor);
    if (!found || !fits) return this.#failed('b5');
    if (found.state === 'reversed') return this.#failed('b4');
    processor.reverse(found.reference);
    memory.mark(found.trace, 'reversed');
    await this.#succeeded({ reference: found.reference, originalTrace: found.trace });
  }

  /** Records a request whose answer never came as failed, with numbers of its own. */
  static recordFailure(
    options: Ports & { asked: Asked; result: string; used?: UsedCard; text?: string },
  ): StoredTransaction {
    const { memory, clock, asked, result, used, text } = options;
    const numbers = memory.takeNumbers({ withReceipt: true });
    const status = statusBody({
      ...asked,
      ...numbers,
      result,
      used,
      terminalId: memory.terminalId,
      clock,
      ...(text === undefined ? {} : { text }),
    });
    const failed: StoredTransaction = {
      ...asked,
      ...numbers,
      scheme: used?.card.scheme ?? '',
      result,
      reference: 0,
      state: 'stored',
      status: status.toString('hex'),
    };
    memory.add(failed);
    return failed;
  }

  #stage(stage: Stage): void {
    this.#options.onStage(stage);
    const code = progress[stage];
    const { memory, line } = this.#options;
    if (code === undefined || (memory.now.settings & wantsProgress) === 0) return;
    this.#told = this.#told.then(() =>
      this.#cut.signal.aborted ? undefined : line.tell(apdu('04ff', Buffer.from(code, 'hex'))),
    );
  }

  async #online(dialogue: Dialogue, online: OnlineCard): Promise<void> {
    const { asked, memory, processor, timers } = this.#options;
    if (asked === undefined || asked.kind === 'reversal') return;
    this.#used = online;
    memory.update({ pending: { ...asked, kind: asked.kind } });
    await new Promise<void>(resolve => timers.after(processorMs, () => resolve()));
    if (this.#cut.signal.aborted) return;
    const { answer, reference } =
      asked.kind === 'payment'
        ? await processor.authorise(asked.amountMinor)
        : { answer: 'approved' as const, reference: processor.refund(asked.amountMinor) };
    this.#reference = reference;
    const outcome = answer === 'approved' ? 'approved' : answer === 'unknown' ? 'unknown' : 'declined';
    const isTaken =
      !this.#cut.signal.aborted &&
      dialogue.answer(online.keySerialNumber, {
        outcome,
        auth: answer === 'approved' ? String(700_000 + reference) : '',
        code: resultCodeOf(answer),
      });
    // The answer came too late, or the reader was off.
    if (!isTaken && reference !== 0) processor.reverse(reference);
  }

  async #cardFinished(result: Fields): Promise<void> {
    this.dialogue = undefined;
    const wasOnline = this.#used !== undefined;
    this.#options.memory.update({ pending: undefined });
    if (result.outcome === 'approved') {
      await this.#succeeded({ reference: this.#reference, authorisationCode: result.auth ?? '' });
      return;
    }
    // A card that refuses after the approval.
    if (this.#reference !== 0) this.#options.processor.reverse(this.#reference);
    const code = codeOf(result);
    if (wasOnline) await this.#failedOnline(code, result);
    else await this.#failed(code, result.outcome);
  }

  async #succeeded(of: { reference: number; authorisationCode?: string; originalTrace?: number }): Promise<void> {
    const { asked, memory, clock } = this.#options;
    if (asked === undefined) return;
    const numbers = memory.takeNumbers({ withReceipt: true });
    const status: StatusOf = {
      ...asked,
      ...numbers,
      ...of,
      result: '00',
      used: this.#used,
      terminalId: memory.terminalId,
      clock,
    };
    const body = statusBody(status);
    memory.add({
      ...asked,
      ...numbers,
      scheme: this.#used?.card.scheme ?? '',
      result: '00',
      reference: of.reference,
      state: 'unacknowledged',
      status: body.toString('hex'),
    });
    const delivered = await this.#deliver(body, true);
    const isPrinted = delivered === 'acknowledged' && (await this.#print(status));
    if (this.#cut.signal.aborted) return;
    if (isPrinted) {
      memory.mark(numbers.trace, 'stored');
      await this.#finish(apdu('060f'), 'approved');
    } else if (delivered === 'unheard' || delivered === 'acknowledged')
      await this.#unheard(numbers.trace, of.reference);
    else await this.#undo(numbers.trace, of.reference);
  }

  /** The till never acknowledged it. */
  async #unheard(trace: number, reference: number): Promise<void> {
    if (this.#options.keepsUnacknowledged) this.#end('approved');
    else await this.#undo(trace, reference);
  }

  async #undo(trace: number, reference: number): Promise<void> {
    const { asked, memory, processor, clock } = this.#options;
    if (asked === undefined) return;
    processor.reverse(reference);
    memory.mark(trace, 'reversed');
    const numbers = memory.takeNumbers({ withReceipt: true });
    const body = statusBody({
      ...asked,
      ...numbers,
      result: '00',
      originalTrace: trace,
      used: this.#used,
      terminalId: memory.terminalId,
      clock,
    });
    memory.add({
      ...asked,
      ...numbers,
      kind: 'reversal',
      scheme: '',
      result: '00',
      reference,
      state: 'stored',
      status: body.toString('hex'),
    });
    await this.#failed('6c');
  }

  async #failedOnline(code: string, result: Fields): Promise<void> {
    const { asked } = this.#options;
    if (asked === undefined) return;
    const text = result.outcome === 'declined' && result.by === 'host' ? { text: 'Abgelehnt' } : {};
    const used = this.#used === undefined ? {} : { used: this.#used };
    const failed = Operation.recordFailure({ ...this.#options, asked, result: code, ...used, ...text });
    await this.#deliver(Buffer.from(failed.status, 'hex'), false);
    await this.#finish(aborted(code), result.outcome ?? 'declined');
  }

  async #failed(code: string, outcome = 'declined'): Promise<void> {
    const { asked, memory } = this.#options;
    const currency = asked?.currency ?? '978';
    await this.#deliver(shortStatusBody({ result: code, currency, terminalId: memory.terminalId }), false);
    await this.#finish(aborted(code), outcome);
  }

  async #deliver(body: Buffer, isApproval: boolean): Promise<Delivered> {
    await this.#told;
    if (this.#cut.signal.aborted) return 'unheard';
    const { line, timers } = this.#options;
    return deliverStatus({ line, timers, body, isApproval, signal: this.#cut.signal });
  }

  /** The receipts, if the till prints them from the reader's lines. */
  async #print(status: StatusOf): Promise<boolean> {
    const { memory, line, asked } = this.#options;
    const { settings, printsBlocks } = memory.now;
    if ((settings & printsPayments) === 0 || (settings & printsFromReader) === 0) return true;
    const title = titles[asked?.kind ?? 'payment'];
    for (const copy of ['merchant', 'customer'] as const)
      if (!(await deliverReceipt(line, { inBlocks: printsBlocks, copy }, receiptLines(copy, title, status))))
        return false;
    return true;
  }

  async #finish(last: Buffer, outcome: string | undefined): Promise<void> {
    await this.#told;
    if (this.#cut.signal.aborted) return;
    await this.#options.line.tell(last);
    this.#end(outcome);
  }

  #end(outcome: string | undefined): void {
    if (!this.#cut.signal.aborted) this.#options.onEnd(outcome);
  }
}

function aborted(code: string): Buffer {
  return apdu('061e', Buffer.from(code, 'hex'));
}

/** The protocol's code for how a card dialogue ended. */
function codeOf(result: Fields): string {
  if (result.outcome === 'declined' && result.by === 'host') return result.hostcode ?? '05';
  if (result.outcome === 'cancelled' || result.outcome === 'timeout') return '6c';
  const codes: Readonly<Record<string, string>> = {
    CARD_EXPIRED: '78',
    CHIP_ERROR: '72',
    CARD_BLOCKED: '7a',
    OFFLINE_DECLINE: '76',
    PIN_TRIES: '76',
    CARD_REMOVED: '66',
    SECOND_CRYPTOGRAM: '72',
    NO_HOST_ANSWER: 'a1',
  };
  return codes[result.code ?? ''] ?? 'ff';
}

import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import { decodeFrame, encodeFrame, type Fields, type Frame, nextSequence } from '@florin/shared/reader-line/frame.ts';
import {
  confirmation,
  parseFields,
  parseRequest,
  protocolVersion,
  type Request,
  type Stage,
} from '@florin/shared/reader-line/messages.ts';
import { unreachable } from '@florin/shared/result.ts';
import { Dialogue, type DialogueRefusal, type OnlineCard, onlineFields } from '../dialogue.ts';
import type { ListedTransaction, ReaderProgram } from '../program.ts';
import { ReaderBody } from '../reader-body.ts';
import type { Screen } from '../screen.ts';
import { capabilities, helloFields } from './hello.ts';
import type { ReaderMemory, StoredTransaction } from './memory.ts';
import { type Reply, refuse } from './reply.ts';
import { TipQuestions } from './tip-question.ts';

/**
 * The simulated reader's program: lines in, lines out, keys and cards from the customer. Independent of the transport.
 */
export type FirmwareOptions = {
  readonly memory: ReaderMemory;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** Sends one line, without its LF. */
  readonly send: (line: string) => void;
  readonly onChange: () => void;
  readonly onFrame?: (direction: 'host' | 'reader', frame: Frame) => void;
  /** The longest piece of a card block per line; a smaller value splits it into parts. */
  readonly blockPieceLength?: number;
};

const defaultPieceLength = 600;
const lowestBatteryPercent = 3;
const keptResponses = 64;

export class Firmware extends ReaderBody implements ReaderProgram {
  readonly #options: FirmwareOptions;
  #active: { readonly stored: StoredTransaction; readonly dialogue: Dialogue } | undefined;
  readonly #tips: TipQuestions;
  /** SEQ of the PAY of this session that waits for the result. */
  #attached: { readonly txn: string; readonly sequence: number } | undefined;
  #session = false;
  #eventNumber = 0;
  readonly #answered = new Map<number, { readonly line: string; readonly reply: string }>();
  #lastHello: { readonly line: string; readonly reply: string } | undefined;
  #noise = 0;

  constructor(options: FirmwareOptions) {
    super(options, 87);
    this.#options = options;
    this.#tips = new TipQuestions({ ...options, onTipped: answer => this.event('TIPPED', answer) });
    this.#options.memory.endInterrupted();
  }

  /** Unreadable lines, which are dropped without an answer. */
  get noiseCount(): number {
    return this.#noise;
  }

  /** A line from the host. An unreadable one gets no answer: two ends answering noise would never stop. */
  receive(line: string): void {
    const decoded = decodeFrame(line);
    if (!decoded.ok) {
      this.#noise += 1;
      return;
    }
    const frame = decoded.value;
    if (frame.kind !== 'Q' && frame.kind !== 'C') return;
    this.#options.onFrame?.('host', frame);
    if (frame.kind === 'Q' && frame.verb === 'HELLO') {
      this.#hello(frame, line);
      return;
    }
    const before = this.#answered.get(frame.sequence);
    if (before !== undefined) {
      if (before.line === line) this.#options.send(before.reply);
      else this.#send({ kind: 'A', sequence: frame.sequence, verb: 'ERR', fields: { code: 'SEQ' } });
      return;
    }
    this.#handle(frame, line);
    this.#options.onChange();
  }

  #handle(frame: Frame, line: string): void {
    const { verb, fields, after } = this.#session ? this.#replyTo(frame) : refuse('PROTO');
    this.#answer(frame.sequence, line, verb, fields);
    after?.();
  }

  #replyTo(frame: Frame): Reply {
    if (frame.kind === 'C') {
      const confirmed = parseFields(confirmation, frame.fields);
      return confirmed.ok ? this.#confirm(confirmed.value.txn) : refuse('BAD_FIELDS');
    }
    const parsed = parseRequest(frame);
    if (!parsed.ok) return refuse(parsed.refusal.kind === 'unknown_verb' ? 'UNSUPPORTED' : 'BAD_FIELDS');
    return this.#perform(parsed.value, frame.sequence);
  }

  #perform(request: Request, sequence: number): Reply {
    switch (request.verb) {
      case 'HELLO':
        return refuse('PROTO');
      case 'CAPS':
        return { verb: 'CAPS', fields: { caps: capabilities } };
      case 'STATE':
      case 'PING':
        return { verb: request.verb, fields: this.#stateFields() };
      case 'DISPLAY':
        this.idleText = request.text;
        return { verb: 'DISPLAY', fields: {} };
      case 'PAY':
        return this.#pay(request, sequence);
      case 'TIP':
        if (this.#active !== undefined) return refuse('BUSY', { txn: this.#active.stored.txn });
        return { verb: 'TIP', fields: { txn: request.txn }, after: () => this.#tips.ask(request) };
      case 'AUTH':
        return this.#authorised(request);
      case 'CANCEL': {
        const active = this.#active?.stored.txn === request.txn ? this.#active.dialogue : undefined;
        const cancel = () => (active ? active.cancelByHost() : this.#tips.cancel(request.txn));
        return { verb: 'CANCEL', fields: { txn: request.txn }, after: cancel };
      }
      case 'LAST':
        return { verb: 'LAST', fields: this.#lastFields(request.txn) };
      case 'REVERSE':
        return this.#reverse(request.txn);
      case 'REBOOT':
        return { verb: 'REBOOT', fields: {}, after: () => this.reboot({ announced: true }) };
      default:
        return unreachable(request);
    }
  }

  override key(key: string): DialogueRefusal | undefined {
    return this.#tips.key(key) ? undefined : super.key(key);
  }

  /** Power cycle: a new boot id; transactions in progress end in their current state. */
  reboot({ announced }: { announced: boolean }): void {
    this.#active?.dialogue.abandon();
    this.#tips.end();
    this.#active = undefined;
    this.#attached = undefined;
    this.#session = false;
    this.#answered.clear();
    this.#lastHello = undefined;
    this.#eventNumber = 0;
    this.restarted();
    this.#options.memory.endInterrupted();
    if (announced) this.event('BOOT', { boot: this.bootId });
    this.#options.onChange();
  }

  protected override get dialogue(): Dialogue | undefined {
    return this.#active?.dialogue;
  }

  protected override tipScreen(): Screen | undefined {
    return this.#tips.open?.screen();
  }

  /** The amount on the screen during a transaction. */
  amount(): { readonly amountMinor: number; readonly currency: string; readonly exponent: number } | undefined {
    const shown = this.#active?.stored ?? this.#tips.open?.amount;
    return shown && { amountMinor: shown.amountMinor, currency: shown.currency, exponent: shown.exponent };
  }

  transactions(): readonly ListedTransaction[] {
    return this.#options.memory.listed();
  }

  wipe(): void {
    this.#options.memory.wipe();
  }

  stop(): void {
    this.#tips.end();
    this.#active?.dialogue.abandon();
  }

  #hello(frame: Frame, line: string): void {
    if (this.#lastHello?.line === line) {
      this.#options.send(this.#lastHello.reply);
      return;
    }
    const parsed = parseRequest(frame);
    this.#tips.end();
    this.#session = false;
    this.#answered.clear();
    this.#attached = undefined;
    this.#eventNumber = 0;
    if (!parsed.ok || parsed.value.verb !== 'HELLO') {
      this.#answer(frame.sequence, line, 'ERR', { code: 'BAD_FIELDS' });
      return;
    }
    const [lowest, highest] = parsed.value.proto.split('-').map(Number);
    if (lowest === undefined || highest === undefined || lowest > protocolVersion || highest < protocolVersion) {
      this.#answer(frame.sequence, line, 'ERR', { code: 'PROTO' });
      return;
    }
    this.#session = true;
    const { nonce } = parsed.value;
    const fields = helloFields({ ...this.#facts(), memory: this.#options.memory, nonce, boot: this.bootId });
    const reply = this.#answer(frame.sequence, line, 'HELLO', fields);
    this.#lastHello = { line, reply };
    this.#options.onChange();
  }

  #pay(request: Extract<Request, { verb: 'PAY' }>, sequence: number): Reply {
    const { memory } = this.#options;
    const accepted = (after: () => void): Reply => {
      this.#attached = { txn: request.txn, sequence };
      return { verb: 'PAY', fields: { txn: request.txn }, after };
    };
    const known = memory.find(request.txn);
    if (known !== undefined) {
      if (known.amountMinor !== request.amt || known.currency !== request.cur || known.exponent !== request.exp)
        return refuse('TXN_MISMATCH');
      return accepted(() => (known.state === 'active' ? this.#announceAgain() : this.#sendResult(known)));
    }
    if (this.tampered) return refuse('TAMPER');
    if (this.batteryPercent < lowestBatteryPercent) return refuse('BATTERY');
    if (this.#active !== undefined) return refuse('BUSY', { txn: this.#active.stored.txn });
    const unconfirmed = memory.unconfirmed();
    if (unconfirmed !== undefined) return refuse('PENDING', { txn: unconfirmed.txn });
    const stored: StoredTransaction = {
      txn: request.txn,
      amountMinor: request.amt,
      currency: request.cur,
      exponent: request.exp,
      state: 'active',
      confirmed: false,
    };
    memory.put(stored);
    return accepted(() => this.#begin(stored, request.tmo * 1000));
  }

  #begin(stored: StoredTransaction, timeoutMs: number): void {
    const { memory, timers, random } = this.#options;
    const { txn } = stored;
    this.endResult();
    this.#tips.end();
    const dialogue = new Dialogue({
      timeoutMs,
      hostTimeoutMs: this.hostTimeoutMs,
      amountMinor: stored.amountMinor,
      decline: this.takeDecline(),
      readerNumber: memory.readerNumber,
      nextKeyCounter: () => memory.nextKeyCounter(),
      timers,
      random,
      onStage: (stage, left) => this.#stageEvent(txn, stage, left),
      onOnline: card => this.#onlineEvent(txn, card),
      onDigits: digits => this.event('KEY', { txn, digits: String(digits) }),
      onFinish: result => this.#finish(stored, result),
    });
    this.#active = { stored, dialogue };
    dialogue.begin(this.insertedCard !== undefined);
  }

  /** A host resumed a transaction: sends the current stage, including the card block. */
  #announceAgain(): void {
    if (this.#active === undefined) return;
    const { stored, dialogue } = this.#active;
    this.#stageEvent(stored.txn, dialogue.stage, undefined);
    if (dialogue.online !== undefined) this.#onlineEvent(stored.txn, dialogue.online);
  }

  #authorised(request: Extract<Request, { verb: 'AUTH' }>): Reply {
    const dialogue = this.#active?.stored.txn === request.txn ? this.#active.dialogue : undefined;
    if (dialogue?.online?.keySerialNumber !== request.ksn) return refuse('NO_TXN');
    const { auth = '', code = '' } = request;
    return {
      verb: 'AUTH',
      fields: { txn: request.txn },
      after: () => dialogue?.answer(request.ksn, { outcome: request.outcome, auth, code }),
    };
  }

  #finish(stored: StoredTransaction, facts: Fields): void {
    const result = {
      ...facts,
      amt: String(stored.amountMinor),
      cur: stored.currency,
      time: new Date(this.#options.clock.now()).toISOString(),
    };
    const done: StoredTransaction = { ...stored, state: 'done', result };
    this.#options.memory.put(done);
    this.#active = undefined;
    this.showResult(facts);
    if (this.insertedCard !== undefined) this.#stageEvent(stored.txn, 'remove', undefined);
    if (this.#attached?.txn === stored.txn) this.#sendResult(done);
    this.#options.onChange();
  }

  #sendResult(stored: StoredTransaction): void {
    if (this.#attached === undefined) return;
    const fields = stored.state === 'reversed' ? { outcome: 'error', by: 'reader', code: 'REVERSED' } : stored.result;
    this.#send({
      kind: 'R',
      sequence: this.#attached.sequence,
      verb: 'PAY',
      fields: { txn: stored.txn, ...fields },
    });
  }

  #confirm(txn: string): Reply {
    const stored = this.#options.memory.find(txn);
    if (stored === undefined || stored.state === 'active') return refuse('NO_TXN');
    this.#options.memory.put({ ...stored, confirmed: true });
    return { verb: 'RESULT', fields: { txn } };
  }

  #reverse(txn: string): Reply {
    const stored = this.#options.memory.find(txn);
    if (stored === undefined || stored.state === 'active') return refuse('NO_TXN');
    this.#options.memory.put({ ...stored, state: 'reversed', confirmed: true });
    return { verb: 'REVERSE', fields: { txn } };
  }

  #lastFields(txn: string): Fields {
    const stored = this.#options.memory.find(txn);
    if (stored === undefined) return { txn, state: 'unknown' };
    if (stored.state === 'active') return { txn, state: 'active', stage: this.#active?.dialogue.stage ?? 'present' };
    if (stored.state === 'reversed') return { txn, state: 'reversed' };
    return { txn, state: 'done', ...stored.result };
  }

  #facts() {
    const card = this.insertedCard === undefined ? '0' : '1';
    return { bat: String(this.batteryPercent), tamper: this.tampered ? '1' : '0', card };
  }

  #stateFields(): Fields {
    const unconfirmed = this.#options.memory.unconfirmed()?.txn;
    return {
      state: this.#active === undefined ? 'idle' : 'busy',
      boot: this.bootId,
      ev: String(this.#eventNumber),
      ...this.#facts(),
      ...(this.#active === undefined ? {} : { txn: this.#active.stored.txn, stage: this.#active.dialogue.stage }),
      ...(unconfirmed === undefined ? {} : { unconf: unconfirmed }),
    };
  }

  #stageEvent(txn: string, stage: Stage, left: number | undefined): void {
    const onlyChip = stage === 'present' && this.#active?.dialogue.insertInstead === true;
    const tries = left === undefined ? {} : { left: String(left) };
    this.event('STAGE', { txn, stage, ...tries, ...(onlyChip ? { entry: 'chip' } : {}) });
  }

  #onlineEvent(txn: string, card: OnlineCard): void {
    const pieceLength = this.#options.blockPieceLength ?? defaultPieceLength;
    for (const fields of onlineFields(txn, card, pieceLength)) this.event('ONLINE', fields);
  }

  protected override event(verb: string, fields: Fields): void {
    this.#eventNumber = nextSequence(this.#eventNumber);
    this.#send({ kind: 'E', sequence: this.#eventNumber, verb, fields });
    this.#options.onChange();
  }

  #answer(sequence: number, line: string, verb: string, fields: Fields): string {
    const reply = this.#send({ kind: 'A', sequence, verb, fields });
    this.#answered.set(sequence, { line, reply });
    const [oldest] = this.#answered.keys();
    if (oldest !== undefined && this.#answered.size > keptResponses) this.#answered.delete(oldest);
    return reply;
  }

  #send(frame: Frame): string {
    const encoded = encodeFrame(frame);
    if (!encoded.ok) throw new Error(`the reader made a line it may not send: ${encoded.refusal.kind}`);
    this.#options.onFrame?.('reader', frame);
    this.#options.send(encoded.value);
    return encoded.value;
  }
}

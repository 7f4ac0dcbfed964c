import type { Clock, Random, Timers } from '@florin/shared/ports.ts';
import type { Frame } from '@florin/shared/reader-line/frame.ts';
import type { Stage } from '@florin/shared/reader-line/messages.ts';
import type { MessageKind } from '../../faults/cable.ts';
import type { Dialogue } from '../dialogue.ts';
import type { ListedTransaction, ReaderProgram } from '../program.ts';
import { ReaderBody } from '../reader-body.ts';
import { EcrLine } from './ecr-line.ts';
import type { ZvtMemory } from './memory.ts';
import { Operation } from './operation.ts';
import { Processor } from './processor.ts';
import { apdu, bmp, bmpsOf, parts, tlv, tlvValue, varBmp } from './wire.ts';

/**
 * The program of a simulated payment terminal that speaks ZVT: commands of the till in, status information and receipts
 * out, keys and cards from the customer, and its own processor.
 */
export type ZvtReaderOptions = {
  readonly medium: 'serial' | 'tcp';
  readonly memory: ZvtMemory;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly transmit: (bytes: Buffer, kind: MessageKind) => void;
  readonly onChange: () => void;
  /** Its requests, stages and results, in the words of scenarios. */
  readonly onFrame: (direction: 'host' | 'reader', frame: Frame) => void;
  /** What its processor is asked and answers, in words. */
  readonly onProcessor: (text: string) => void;
  /** Whether it leaves an unacknowledged payment for the till to ask about, if the till can. Default: yes. */
  readonly supportsSynchronisation?: boolean;
};

const version = 'FLORIN-SIM 2.1';
const serialNumber = '0012345678';
const euro = '0978';

export class ZvtReader extends ReaderBody implements ReaderProgram {
  readonly #options: ZvtReaderOptions;
  readonly line: EcrLine;
  readonly processor: Processor;
  /** Of payments that name no currency. */
  #registeredCurrency = euro;
  #operation: Operation | undefined;

  constructor(options: ZvtReaderOptions) {
    super(options, 100);
    this.#options = options;
    this.processor = new Processor(options.clock, options.onProcessor);
    this.line = new EcrLine({
      medium: options.medium,
      timers: options.timers,
      transmit: options.transmit,
      onApdu: bytes => this.#command(bytes),
    });
    this.#startUp();
  }

  get noiseCount(): number {
    return this.line.badCount;
  }

  protected override get dialogue(): Dialogue | undefined {
    return this.#operation?.dialogue;
  }

  amount() {
    const asked = this.dialogue === undefined ? undefined : this.#operation?.asked;
    return asked && { amountMinor: asked.amountMinor, currency: asked.currency, exponent: 2 };
  }

  transactions(): readonly ListedTransaction[] {
    const { turnover, last } = this.#options.memory.now;
    const failed = last === undefined || last.result === '00' ? [] : [last];
    return [...turnover, ...failed].map(one => ({
      txn: `${one.kind} ${String(one.receipt).padStart(4, '0')}`,
      state: one.state === 'reversed' ? 'reversed' : 'done',
      outcome: one.result === '00' ? 'approved' : 'declined',
      amountMinor: one.amountMinor,
      currency: one.currency,
      exponent: 2,
      confirmed: one.state !== 'unacknowledged',
    }));
  }

  reboot(): void {
    this.#operation?.cut();
    this.#operation = undefined;
    this.line.drop();
    this.restarted();
    this.#startUp();
    this.#options.onChange();
  }

  wipe(): void {
    this.#operation?.cut();
    this.#operation = undefined;
    this.#options.memory.wipe();
  }

  stop(): void {
    this.#operation?.cut();
  }

  /** The till closed the connection: a dialogue with the customer ends, a request to the processor goes on. */
  hungUp(): void {
    this.line.drop();
    if (this.dialogue === undefined || this.dialogue.stage === 'online') return;
    this.#operation?.cut();
    this.#operation = undefined;
    this.#options.onChange();
  }

  /** Hands the turnover to the bank, as the command does and as some readers do by themselves at night. */
  endOfDay(): void {
    this.#options.memory.update({ turnover: [] });
    this.#options.onChange();
  }

  /** Power failed while the processor was asked: that request is undone, and counts as failed. */
  #startUp(): void {
    const { memory } = this.#options;
    const { pending } = memory.now;
    if (pending === undefined) return;
    memory.update({ pending: undefined });
    Operation.recordFailure({ ...this.#ports(), asked: { ...pending, kind: pending.kind }, result: '6c' });
  }

  #ports() {
    const { memory, clock, timers, random } = this.#options;
    return { memory, clock, timers, random, line: this.line, processor: this.processor };
  }

  #command(bytes: Buffer): void {
    const read = parts(bytes);
    const refusal = read === undefined ? '9a' : this.#perform(read.code, read.body);
    if (refusal !== undefined) this.line.reply(apdu(`84${refusal}`));
  }

  /** Begins what a command asks for; the code of a refusal otherwise. */
  #perform(code: string, body: Buffer): string | undefined {
    if (code === '06b0') return this.#abort();
    if (this.#operation !== undefined) return '9c';
    const { isInitialised } = this.#options.memory.now;
    if (!isInitialised && ['0601', '0630', '0631', '0650'].includes(code)) return 'e4';
    switch (code) {
      case '0600':
        return this.#register(body);
      case '0601':
        return this.#pay(bmpsOf(body), 'payment');
      case '0631':
        return this.#pay(bmpsOf(body.subarray(3)), 'refund');
      case '0630':
        return this.#reverse(bmpsOf(body.subarray(3)));
      case '0620':
        return this.#repeat(bmpsOf(body.subarray(3)));
      case '0650':
        return this.#begin(operation => void operation.endOfDay(() => this.endOfDay()));
      case '0501':
        return this.#begin(operation => operation.complete(this.#stateBody()));
      case '0693':
        this.#options.memory.update({ isInitialised: true });
        return this.#begin(operation => operation.complete());
      case '0670':
        return this.#begin(operation => void operation.diagnosis());
      case '06e0':
        return this.#display(bmpsOf(body));
      case '0602':
        this.#options.memory.update({ settings: 0 });
        this.line.reply(apdu('8000'));
        return undefined;
      default:
        return '83';
    }
  }

  #register(body: Buffer): string | undefined {
    const rest = body.length > 6 ? bmpsOf(body.subarray(6)) : new Map<string, Buffer>();
    if (body.length < 4 || rest === undefined) return '9a';
    const permitted = tlvValue(rest.get('06'), '26')?.toString('hex') ?? '';
    const { memory } = this.#options;
    memory.update({ settings: body[3] ?? 0, printsBlocks: permitted.includes('0a0206d3') });
    const currency = body.length >= 6 ? body.subarray(4, 6) : Buffer.from(euro, 'hex');
    this.#registeredCurrency = currency.toString('hex');
    const status = memory.now.isInitialised ? '00' : '01';
    const answer = Buffer.concat([bmp('19', status), bmp('29', memory.terminalId), bmp('49', currency)]);
    return this.#begin(operation => operation.complete(answer));
  }

  #pay(fields: ReadonlyMap<string, Buffer> | undefined, kind: 'payment' | 'refund'): string | undefined {
    const amount = fields?.get('04');
    if (fields === undefined || amount === undefined) return '9a';
    const currency = (fields.get('49')?.toString('hex') ?? this.#registeredCurrency).slice(1);
    if (!/^\d{3}$/.test(currency)) return '6f';
    const amountMinor = Number(amount.toString('hex'));
    if (!(amountMinor > 0)) return 'c8';
    if (this.tampered) return 'e4';
    this.endResult();
    const start = (operation: Operation) => {
      const dialogue = operation.withCard({ decline: this.takeDecline(), hostTimeoutMs: this.hostTimeoutMs });
      dialogue.begin(this.insertedCard !== undefined);
    };
    return this.#begin(start, { kind, amountMinor, currency }, tlvValue(fields.get('06'), '1f1f'));
  }

  #reverse(fields: ReadonlyMap<string, Buffer> | undefined): string | undefined {
    const receipt = fields?.get('87')?.toString('hex');
    if (fields === undefined || receipt === undefined) return '9a';
    const amountMinor = Number(fields.get('04')?.toString('hex') ?? 0);
    const currency = fields.get('49')?.toString('hex').slice(1) ?? '978';
    const start = (operation: Operation) => void operation.reverse(Number(receipt));
    return this.#begin(start, { kind: 'reversal', amountMinor, currency }, tlvValue(fields.get('06'), '1f1f'));
  }

  #repeat(fields: ReadonlyMap<string, Buffer> | undefined): string | undefined {
    if (fields === undefined) return '9a';
    const service = fields.get('03')?.[0] ?? 0;
    return this.#begin(operation => void operation.repeat({ withStatus: service % 2 === 1 }));
  }

  #display(fields: ReadonlyMap<string, Buffer> | undefined): string | undefined {
    if (fields === undefined) return '9a';
    const lines = ['f1', 'f2', 'f3', 'f4'].map(line => fields.get(line)?.toString('latin1').trim() ?? '');
    this.idleText = lines.filter(line => line !== '').join(' ');
    this.line.reply(apdu('8000'));
    this.#options.onChange();
    return undefined;
  }

  /** Too late once the processor was asked. */
  #abort(): string | undefined {
    const dialogue = this.dialogue;
    if (this.#operation !== undefined && (dialogue === undefined || dialogue.stage === 'online')) return '83';
    this.line.reply(apdu('8000'));
    dialogue?.cancelByHost();
    return undefined;
  }

  /** Accepts the command and carries it out. */
  #begin(act: (operation: Operation) => void, asked?: Operation['asked'], synchronised?: Buffer): undefined {
    const keeps = synchronised !== undefined && this.#options.supportsSynchronisation !== false;
    const operation = new Operation({
      ...this.#ports(),
      asked,
      keepsUnacknowledged: keeps,
      nextKeyCounter: () => this.#options.memory.now.trace,
      onStage: stage => this.#stageChanged(stage),
      onEnd: outcome => this.#ended(operation, outcome),
    });
    this.#operation = operation;
    this.line.reply(apdu('8000'));
    if (keeps) operation.synchronise(synchronised);
    if (asked !== undefined) this.#announce('host', 'Q', 'PAY', { txn: 'zvt', amt: String(asked.amountMinor) });
    act(operation);
    this.#options.onChange();
  }

  #stageChanged(stage: Stage): void {
    this.#announce('reader', 'E', 'STAGE', { txn: 'zvt', stage });
    this.#options.onChange();
  }

  #ended(operation: Operation, outcome: string | undefined): void {
    if (this.#operation !== operation) return;
    this.#operation = undefined;
    if (outcome !== undefined) {
      this.showResult({ outcome });
      this.#announce('reader', 'R', 'PAY', { txn: 'zvt', outcome });
    }
    this.#options.onChange();
  }

  #announce(direction: 'host' | 'reader', kind: Frame['kind'], verb: string, fields: Frame['fields']): void {
    this.#options.onFrame(direction, { kind, sequence: 0, verb, fields });
  }

  #stateBody(): Buffer {
    const info = tlv('e4', tlv('1f41', Buffer.from(version, 'latin1')), tlv('1f42', Buffer.from(serialNumber, 'hex')));
    const state = this.#options.memory.now.isInitialised ? '00' : '51';
    return Buffer.concat([varBmp('', Buffer.from(version, 'latin1'), 3), Buffer.from(state, 'hex'), tlv('06', info)]);
  }
}

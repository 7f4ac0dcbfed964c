import { type Cancel, type Timers, wait } from '@florin/shared/ports.ts';
import type { MessageKind } from '../../faults/cable.ts';
import { ACK, apdusIn, NAK, Unwrapper, wrap } from './wire.ts';

/** The reader's end of the line to the till (the protocol's ECR), over a serial cable or TCP. */
export type EcrLineOptions = {
  readonly medium: 'serial' | 'tcp';
  readonly timers: Timers;
  /** Puts bytes on the cable. */
  readonly transmit: (bytes: Buffer, kind: MessageKind) => void;
  readonly onApdu: (apdu: Buffer) => void;
};

/** T1 and T2 of the protocol, and its number of transmissions of a block. */
const byteGapMs = 200;
const ackWaitMs = 5000;
const transmissions = 3;
/** T3: within it the till answers a command of the reader. */
const answerWaitMs = 5000;

/** An answer of the till; `lost` if there was none, or the block could not be delivered. */
export type Answer = { readonly kind: 'answered'; readonly apdu: Buffer } | { readonly kind: 'lost' };

export class EcrLine {
  readonly #options: EcrLineOptions;
  readonly #unwrapper = new Unwrapper();
  #stream = Buffer.alloc(0);
  #gap: Cancel | undefined;
  #incoming: Promise<unknown> = Promise.resolve();
  #outgoing: Promise<unknown> = Promise.resolve();
  #onAck: ((byte: number | undefined) => void) | undefined;
  #onAnswer: ((answer: Answer) => void) | undefined;
  #lastCommand: Buffer | undefined;
  #badCount = 0;

  constructor(options: EcrLineOptions) {
    this.#options = options;
  }

  /** Blocks that arrived damaged. */
  get badCount(): number {
    return this.#badCount;
  }

  receive(bytes: Buffer): void {
    if (this.#options.medium === 'tcp') {
      const { apdus, rest } = apdusIn(Buffer.concat([this.#stream, bytes]));
      this.#stream = Buffer.from(rest);
      // One after the other: what follows from an answer comes before the next command.
      for (const apdu of apdus) {
        this.#incoming = this.#incoming.then(() => {
          this.#take(apdu);
          return wait(this.#options.timers, 0);
        });
      }
      return;
    }
    this.#gap?.();
    for (const one of this.#unwrapper.feed(bytes)) {
      if (one.kind === 'apdu') this.#block(one.apdu);
      else if (one.kind === 'bad') this.#bad();
      else this.#onAck?.(one.kind === 'ack' ? ACK : NAK);
    }
    if (!this.#unwrapper.isWaiting) return;
    this.#gap = this.#options.timers.after(byteGapMs, () => {
      if (this.#unwrapper.expire()) this.#bad();
    });
  }

  /** Sends an answer to the till's command, to which nothing comes back. */
  reply(apdu: Buffer): void {
    void this.#deliver(apdu, 'other');
  }

  /** Sends a command to the till and waits for its answer. */
  async tell(apdu: Buffer, kind: MessageKind = 'other'): Promise<Answer> {
    const answered = new Promise<Answer>(resolve => {
      this.#onAnswer = resolve;
    });
    if (!(await this.#deliver(apdu, kind))) this.#onAnswer?.({ kind: 'lost' });
    const stop = this.#options.timers.after(answerWaitMs, () => this.#onAnswer?.({ kind: 'lost' }));
    const answer = await answered;
    stop();
    this.#onAnswer = undefined;
    return answer;
  }

  /** Nothing that is under way will be delivered: the connection is closed, or the reader's power is off. */
  drop(): void {
    this.#stream = Buffer.alloc(0);
    this.#unwrapper.expire();
    this.#gap?.();
    this.#lastCommand = undefined;
    this.#onAnswer?.({ kind: 'lost' });
    const onAck = this.#onAck;
    this.#onAck = undefined;
    onAck?.(-1);
  }

  #deliver(apdu: Buffer, kind: MessageKind): Promise<boolean> {
    const delivered = this.#outgoing.then(() => this.#send(apdu, kind));
    this.#outgoing = delivered;
    return delivered;
  }

  async #send(apdu: Buffer, kind: MessageKind): Promise<boolean> {
    if (this.#options.medium === 'tcp') {
      this.#options.transmit(apdu, kind);
      return true;
    }
    const block = wrap(apdu);
    for (let turn = 1; turn <= transmissions; turn++) {
      const answer = await new Promise<number | undefined>(resolve => {
        const stop = this.#options.timers.after(ackWaitMs, () => this.#onAck?.(undefined));
        this.#onAck = byte => {
          stop();
          this.#onAck = undefined;
          resolve(byte);
        };
        this.#options.transmit(block, kind);
      });
      if (answer === ACK) return true;
      if (answer === -1) return false;
    }
    return false;
  }

  #block(apdu: Buffer): void {
    this.#options.transmit(Buffer.from([ACK]), 'other');
    const isAnswer = apdu[0] === 0x80 || apdu[0] === 0x84;
    // The till answers only what it has received, so its acknowledgement was lost.
    if (isAnswer) this.#onAck?.(ACK);
    // A command again, before anything it was answered with was acknowledged: the till missed the acknowledgement.
    if (!isAnswer && this.#onAck !== undefined && this.#lastCommand?.equals(apdu) === true) return;
    this.#take(apdu);
  }

  #take(apdu: Buffer): void {
    if (apdu[0] === 0x80 || apdu[0] === 0x84) {
      this.#onAnswer?.({ kind: 'answered', apdu });
      return;
    }
    this.#lastCommand = Buffer.from(apdu);
    this.#options.onApdu(apdu);
  }

  #bad(): void {
    this.#badCount += 1;
    this.#options.transmit(Buffer.from([NAK]), 'other');
  }
}

import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { encodeFrame, type Fields, type Frame, nextSequence } from '@florin/shared/reader-line/frame.ts';
import { parseFields, refusal } from '@florin/shared/reader-line/messages.ts';
import type { Transport } from '../serial/transport.ts';

/** Requests in progress on one connection: sequence numbers, retransmission of the same bytes, and timeouts. */
const answerTimeoutMs = 500;
const retransmissions = 3;
/** The code of a refusal whose own fields could not be read. */
export const unreadableRefusal = 'UNREADABLE';

export type Reply =
  | { readonly kind: 'answered'; readonly fields: Fields; readonly sequence: number }
  | { readonly kind: 'refused'; readonly code: string; readonly transaction: string | undefined }
  /** No response, or the connection ended: the reader may have acted on it. */
  | { readonly kind: 'no_answer' }
  /** Not sent, because the protocol cannot carry it. */
  | { readonly kind: 'not_sendable' };

type Pending = { readonly verb: string; readonly settle: (reply: Reply) => void };

export class Requests {
  readonly #transport: Transport;
  readonly #timers: Timers;
  readonly #onTimeout: () => void;
  readonly #onNoAnswer: (verb: string) => void;
  readonly #pending = new Map<number, Pending>();
  #sequence = 0;
  #ended = false;

  constructor(options: {
    transport: Transport;
    timers: Timers;
    /** One attempt was not answered in time. */
    onTimeout: () => void;
    /** The last attempt was not answered either. */
    onNoAnswer: (verb: string) => void;
  }) {
    this.#transport = options.transport;
    this.#timers = options.timers;
    this.#onTimeout = options.onTimeout;
    this.#onNoAnswer = options.onNoAnswer;
  }

  /** Sends a request and waits for its response; sends it `tries` times in all. */
  send(kind: 'Q' | 'C', verb: string, fields: Fields, tries = 1 + retransmissions): Promise<Reply> {
    if (this.#ended) return Promise.resolve({ kind: 'no_answer' });
    this.#sequence = nextSequence(this.#sequence);
    const sequence = this.#sequence;
    const encoded = encodeFrame({ kind, sequence, verb, fields });
    if (!encoded.ok) return Promise.resolve({ kind: 'not_sendable' });
    return new Promise(resolve => {
      let timer: Cancel = () => undefined;
      const settle = (reply: Reply) => {
        timer();
        this.#pending.delete(sequence);
        resolve(reply);
      };
      const attempt = (left: number) => {
        void this.#transport.write(encoded.value);
        timer = this.#timers.after(answerTimeoutMs, () => {
          this.#onTimeout();
          if (left > 1) return attempt(left - 1);
          settle({ kind: 'no_answer' });
          this.#onNoAnswer(verb);
        });
      };
      this.#pending.set(sequence, { verb, settle });
      attempt(tries);
    });
  }

  /** A response of the reader; one that matches no pending request is dropped. */
  answer(frame: Frame): void {
    const pending = this.#pending.get(frame.sequence);
    if (pending === undefined) return;
    if (frame.verb === 'ERR') {
      const refused = parseFields(refusal, frame.fields);
      pending.settle({
        kind: 'refused',
        code: refused.ok ? refused.value.code : unreadableRefusal,
        transaction: refused.ok ? refused.value.txn : undefined,
      });
    } else if (frame.verb === pending.verb) {
      pending.settle({ kind: 'answered', fields: frame.fields, sequence: frame.sequence });
    }
  }

  /** The connection has ended: every pending request ends without a response. */
  end(): void {
    this.#ended = true;
    for (const { settle } of this.#pending.values()) settle({ kind: 'no_answer' });
  }
}

import type { Cancel, Random, Timers } from '@florin/shared/ports.ts';
import {
  type DecodeRefusal,
  decodeFrame,
  type Fields,
  type Frame,
  nextSequence,
} from '@florin/shared/reader-line/frame.ts';
import {
  type Answer,
  answers,
  parseEvent,
  parseFields,
  pingAnswer,
  protocolVersion,
  type ReaderEvent,
  result,
  type TransactionResult,
} from '@florin/shared/reader-line/messages.ts';
import { holdsPan } from '@florin/shared/reader-line/pan.ts';
import { err, ok, type Result, unreachable } from '@florin/shared/result.ts';
import type { LineFailure } from '../reader.ts';
import type { CloseReason, OpenPort, OpenRefusal } from '../serial/port.ts';
import { openTransport, type Transport } from '../serial/transport.ts';
import { type Reply, Requests, unreadableRefusal } from './requests.ts';

/**
 * One session with one reader, from HELLO until the connection is lost: dispatch, heartbeat, and the alarm about a card
 * number.
 */
export type SessionOptions = {
  readonly openPort?: OpenPort | undefined;
  readonly path: string;
  readonly baudRate: number;
  readonly hostName: string;
  readonly timers: Timers;
  readonly random: Random;
  readonly onEvent: (event: ReaderEvent) => void;
  readonly onResult: (result: TransactionResult) => void;
  /** The reader's state, with every heartbeat; `missedEvents` if its counter shows that an event was lost. */
  readonly onHeartbeat: (state: Answer<'STATE'>, missedEvents: boolean) => void;
  readonly onLost: (reason: LostReason) => void;
  readonly onFailure: (cause: LineFailure) => void;
  /** The port is there and could not be opened; `reason` is the system's. */
  readonly onOpenFailed: (reason: string) => void;
  readonly onPan: () => void;
};

export type LostReason = CloseReason | 'no_answer' | 'rebooted' | 'closed';
export type SessionRefusal = OpenRefusal | 'silent' | 'incompatible' | 'echo' | 'lost';

const idleHeartbeatMs = 5000;
const busyHeartbeatMs = 2000;
const heartbeatsMissed = 3;
/** Refusals that mean that a request arrived malformed or out of sequence; all others are regular responses. */
const protocolRefusals: ReadonlySet<string> = new Set(['PROTO', 'UNSUPPORTED', 'BAD_FIELDS', 'SEQ', unreadableRefusal]);

export class Session {
  readonly #options: SessionOptions;
  readonly #transport: Transport;
  readonly #requests: Requests;
  #hello: Answer<'HELLO'> | undefined;
  #eventNumber = 0;
  #greeted = false;
  #busy = false;
  #echoed = false;
  #missed = 0;
  #heartbeat: Cancel = () => undefined;
  #over = false;

  private constructor(transport: Transport, options: SessionOptions) {
    this.#options = options;
    this.#transport = transport;
    this.#requests = new Requests({
      transport,
      timers: options.timers,
      // Before HELLO is answered, silence means that no reader is there.
      onTimeout: () => this.#hello !== undefined && options.onFailure('timeout'),
      onNoAnswer: verb => this.#unanswered(verb),
    });
  }

  /** Opens the port and says HELLO. */
  static async open(options: SessionOptions): Promise<Result<Session, SessionRefusal>> {
    let session: Session | undefined;
    const opened = await openTransport({
      openPort: options.openPort,
      path: options.path,
      baudRate: options.baudRate,
      timers: options.timers,
      onLine: line => session?.receive(line),
      onFailure: options.onFailure,
      onOpenFailed: options.onOpenFailed,
      onClose: reason => session?.lose(reason),
    });
    if (!opened.ok) return opened;
    session = new Session(opened.value, options);
    const refused = await session.greet();
    if (refused === undefined) return ok(session);
    await session.close();
    return err(refused);
  }

  get reader(): Answer<'HELLO'> {
    if (this.#hello === undefined) throw new Error('a session without HELLO was handed out');
    return this.#hello;
  }

  get path(): string {
    return this.#options.path;
  }

  async request(verb: string, fields: Fields): Promise<Reply> {
    return this.#verified(await this.#requests.send('Q', verb, fields));
  }

  async confirm(txn: string): Promise<Reply> {
    return this.#verified(await this.#requests.send('C', 'RESULT', { txn }));
  }

  /** Asks for the reader's state; false unless its answer proves that it has not restarted in this session. */
  async askState({ missedEvents }: { missedEvents: boolean }): Promise<boolean> {
    return this.#stateCame(await this.request('STATE', {}), missedEvents);
  }

  /** The heartbeat is faster during a transaction. */
  setBusy(busy: boolean): void {
    if (this.#busy === busy) return;
    this.#busy = busy;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#transport.close();
  }

  /** Ends the session: after this the line's contents cannot be trusted, so a new session starts from HELLO. */
  lose(reason: LostReason): void {
    if (this.#over) return;
    this.#end();
    void this.#transport.close();
    if (this.#hello !== undefined) this.#options.onLost(reason);
  }

  async greet(): Promise<SessionRefusal | undefined> {
    const nonce = Buffer.from(this.#options.random.bytes(4)).toString('hex');
    const proto = `${protocolVersion}-${protocolVersion}`;
    const reply = await this.#requests.send('Q', 'HELLO', { proto, host: this.#options.hostName, nonce }, 3);
    if (this.#echoed) return 'echo';
    if (this.#over) return reply.kind === 'refused' ? 'incompatible' : 'silent';
    if (reply.kind === 'refused') return 'incompatible';
    if (reply.kind !== 'answered') return 'silent';
    const hello = parseFields(answers.HELLO, reply.fields);
    if (!hello.ok || hello.value.proto !== protocolVersion) return 'incompatible';
    // The nonce of another host, or of this host before a reset.
    if (hello.value.nonce.toLowerCase() !== nonce) return 'lost';
    this.#hello = hello.value;
    this.#schedule();
    return undefined;
  }

  /** Receives one raw line. A line that may hold a card number is dropped before anything else processes it. */
  receive(line: string): void {
    if (holdsPan(line)) {
      this.#options.onPan();
      return;
    }
    const decoded = decodeFrame(line);
    // A damaged line gets no answer: two ends that answered each other's damaged lines would never stop.
    if (!decoded.ok) {
      this.#options.onFailure(causeOf(decoded.refusal));
      return;
    }
    this.#missed = 0;
    this.#take(decoded.value);
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'A':
        if (frame.verb === 'HELLO') this.#greeted = true;
        this.#requests.answer(frame);
        return;
      case 'E':
        // Events before the HELLO response belong to an earlier session; their numbers mean nothing in this one.
        if (this.#greeted) this.#event(frame);
        return;
      case 'R': {
        if (!this.#greeted) return;
        const parsed = parseFields(result, frame.fields);
        if (parsed.ok) this.#options.onResult(parsed.value);
        else this.#options.onFailure('fields');
        return;
      }
      case 'Q':
      case 'C':
        // Only hosts send these kinds, so the line echoes what the terminal sends.
        this.#echoed = true;
        if (this.#hello !== undefined) this.#options.onFailure('echo');
        return;
    }
  }

  #event(frame: Frame): void {
    const parsed = parseEvent(frame);
    if (parsed.ok && parsed.value.verb === 'BOOT') {
      if (parsed.value.boot !== this.#hello?.boot) this.lose('rebooted');
      return;
    }
    if (frame.sequence === this.#eventNumber) return;
    const gap = frame.sequence !== nextSequence(this.#eventNumber);
    this.#eventNumber = frame.sequence;
    if (parsed.ok) this.#options.onEvent(parsed.value);
    else if (parsed.refusal.kind === 'bad_fields') this.#options.onFailure('fields');
    if (gap) void this.askState({ missedEvents: true });
  }

  #schedule(): void {
    this.#heartbeat();
    if (this.#over || this.#hello === undefined) return;
    const everyMs = this.#busy ? busyHeartbeatMs : idleHeartbeatMs;
    this.#heartbeat = this.#options.timers.after(everyMs, () => {
      this.#schedule();
      void this.#ping();
    });
  }

  async #ping(): Promise<void> {
    this.#missed += 1;
    if (this.#missed > heartbeatsMissed) return this.lose('no_answer');
    // Sent once: the next heartbeat serves as the retransmission.
    this.#stateCame(this.#verified(await this.#requests.send('Q', 'PING', {}, 1)), false);
  }

  #stateCame(reply: Reply, missedEvents: boolean): boolean {
    if (this.#over || reply.kind !== 'answered') return false;
    const state = parseFields(pingAnswer, reply.fields);
    if (!state.ok) {
      this.#options.onFailure('fields');
      return false;
    }
    if (state.value.boot !== this.#hello?.boot) {
      this.lose('rebooted');
      return false;
    }
    const behind = state.value.ev !== this.#eventNumber;
    this.#eventNumber = state.value.ev;
    this.#options.onHeartbeat(state.value, missedEvents || behind);
    return true;
  }

  /**
   * A reader that is out of sequence proves nothing about the request: the session restarts and the request counts as
   * unanswered.
   */
  #verified(reply: Reply): Reply {
    if (reply.kind === 'refused' && protocolRefusals.has(reply.code)) this.#options.onFailure('refused');
    if (reply.kind !== 'refused' || (reply.code !== 'PROTO' && reply.code !== 'SEQ')) return reply;
    this.lose('rebooted');
    return { kind: 'no_answer' };
  }

  /** All attempts of a request failed. Heartbeats are counted separately, and HELLO has its own timeout. */
  #unanswered(verb: string): void {
    if (verb !== 'PING' && verb !== 'HELLO') this.lose('no_answer');
  }

  #end(): void {
    this.#over = true;
    this.#heartbeat();
    this.#requests.end();
  }
}

function causeOf({ kind }: DecodeRefusal): LineFailure {
  switch (kind) {
    case 'too_long':
      return 'too_long';
    case 'bad_checksum':
      return 'checksum';
    case 'bad_field':
    case 'duplicate_field':
    case 'bad_escape':
      return 'fields';
    case 'empty':
    case 'not_printable':
    case 'no_checksum':
    case 'bad_kind':
    case 'bad_sequence':
    case 'bad_verb':
      return 'framing';
    default:
      return unreachable(kind);
  }
}

/**
 * Ports for time, randomness and ids. Real ones are in each program's `platform/`; the simulation's are seeded, so that
 * whole days replay from one number.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. Written as ISO 8601 on the wire. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

/**
 * Time for deadlines that must not end early: a forward step of the system clock does not affect it, as far as one
 * process can detect.
 */
export interface SteadyClock extends Clock {
  /** How far it lags the system clock because of such a step. */
  lagMs(): number;
}

/** Cancels a scheduled call; safe to call late or twice. */
export type Cancel = () => void;

export interface Timers {
  after(delayMs: number, task: () => void): Cancel;
}

export interface Random {
  bytes(length: number): Uint8Array;
}

export interface Ids {
  /** A new id of this kind: opaque, unique, sortable by creation time. */
  next(prefix: IdPrefix): string;
}

/**
 * Structured log: facts for programs, a message for people. Facts include the ids a line is about (businessId,
 * paymentId, refundId, requestId …). No line contains a key, a token, a password or a card number.
 */
export interface Log {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/** A log that adds what a line belongs to: the request or the job. */
export interface ContextLog extends Log {
  /** Runs `work` and adds the facts to every line logged within it. */
  within<Value>(facts: Readonly<Record<string, unknown>>, work: () => Value): Value;
  /** As `within`, without the surrounding facts: for shared work that one caller happens to start. */
  apart<Value>(facts: Readonly<Record<string, unknown>>, work: () => Value): Value;
}

/** The kinds of record with their id prefixes. */
export const idPrefixes = {
  business: 'biz',
  gatewayAccount: 'gwa',
  bitcoinBackend: 'node',
  payment: 'pay',
  paymentLink: 'pl',
  refund: 'ref',
  discrepancy: 'dis',
  checkout: 'chk',
  bitcoinInvoice: 'binv',
  bitcoinReceipt: 'brec',
  bitcoinClaim: 'clm',
  bitcoinReturn: 'brtn',
  sale: 'sale',
  command: 'cmd',
  device: 'dev',
  staff: 'staff',
  apiKey: 'key',
  kioskKey: 'kkey',
  notificationRecipient: 'ntf',
  email: 'eml',
  webhook: 'wh',
  delivery: 'del',
  tipLink: 'tip',
  ucpInvoice: 'ucp',
  withdrawal: 'wd',
  auditEntry: 'aud',
  event: 'evt',
  job: 'job',
  nonce: 'non',
  export: 'exp',
  request: 'req',
  outboxEntry: 'out',
  alert: 'alert',
  portalUser: 'usr',
  portalSession: 'ses',
  role: 'role',
  invitation: 'inv',
  receipt: 'rcp',
  receiptKey: 'rkey',
  receiptEmail: 'rml',
  savedView: 'view',
  readerClosing: 'rcl',
  /** A launch of a terminal's program. */
  launch: 'run',
  /** A question to a reader that stands for no transaction. */
  readerTest: 'test',
} as const;
export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

/** Resolves after `delayMs`, or at once when the signal aborts. */
export function wait(timers: Timers, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(delayMs, done);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}

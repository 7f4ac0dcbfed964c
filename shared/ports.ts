/**
 * What every side takes from outside itself: time, randomness and ids. Real ones live in each program's `platform/`;
 * the simulation gives seeded ones, so that whole days replay from one number.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. Written as ISO 8601 on the wire. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

/**
 * Time for what must not end early: a forward step of the system clock does not move it, as far as one process can know.
 */
export interface SteadyClock extends Clock {
  /** How far it is behind the system clock because of such a step. */
  lagMs(): number;
}

/** Cancels what was scheduled; harmless to call late or twice. */
export type Cancel = () => void;

export interface Timers {
  after(delayMs: number, task: () => void): Cancel;
}

export interface Random {
  bytes(length: number): Uint8Array;
}

export interface Ids {
  /** A new id of this kind: opaque, unique, sortable by the time it was made. */
  next(prefix: IdPrefix): string;
}

/**
 * Structured log: facts for programs, a message for people. Facts name what a line is about by its ids (businessId,
 * paymentId, refundId, requestId …). No line carries a key, a token, a password or a card number.
 */
export interface Log {
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
  /** Runs `work`, and adds the facts to every line that is logged meanwhile on its behalf, by whichever function. */
  within<Value>(facts: Readonly<Record<string, unknown>>, work: () => Value): Value;
  /** The same with these facts alone: for work that is done for all and that somebody's own work happens to begin. */
  apart<Value>(facts: Readonly<Record<string, unknown>>, work: () => Value): Value;
}

/** The kinds of record and the prefix their ids carry on the wire. */
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
  request: 'req',
  outboxEntry: 'out',
  alert: 'alert',
  portalUser: 'usr',
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

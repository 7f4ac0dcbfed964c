import { createHash } from 'node:crypto';

/**
 * W3C Trace Context, level 1: one id for all requests that follow from one cause, whichever program makes them. Reading and
 * writing the header is all there is to it: nothing is sent to a collector. `tracestate` is dropped: it is the caller's own
 * and may hold anything, and the next one in the chain is a bank's gateway or a merchant.
 */
export type Trace = {
  /** 32 digits, as in the log. */
  readonly traceId: string;
  /** Whether whoever began it records it: passed on as it came. */
  readonly isSampled: boolean;
};

const pattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-[^,]*)?$/;

/** The trace of a header `traceparent`; undefined where there is none, or none that is valid. */
export function traceOf(traceparent: string | undefined): Trace | undefined {
  const [, version, traceId, flags = '', later] = pattern.exec(traceparent ?? '') ?? [];
  // Later versions may add members; of those flags only the first is known.
  if (traceId === undefined || (version === '00' && later !== undefined)) return undefined;
  return { traceId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header `traceparent` of a request; `spanId` is this request's own, 16 digits. */
export function traceparentOf({ traceId, isSampled }: Trace, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * The trace that a sale, a terminal's refund or a request begins. Its id is the hexadecimal part of theirs, so that whoever
 * has one has the other, also after a restart.
 */
export function traceBegunBy(id: string): Trace {
  return { traceId: lastDigits(id, 32), isSampled: false };
}

/** The id of the span that has this id: its last digits, which are random. */
export function spanIdOf(id: string): string {
  return lastDigits(id, 16);
}

function lastDigits(id: string, count: number): string {
  const digits = id.slice(-count);
  const isUsable = digits.length === count && /^[0-9a-f]+$/.test(digits) && /[^0]/.test(digits);
  return isUsable ? digits : createHash('sha256').update(id).digest('hex').slice(0, count);
}

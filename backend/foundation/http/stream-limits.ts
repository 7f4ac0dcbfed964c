import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import { type AnyCaller, callerId } from './callers.ts';
import type { Problem } from './problems.ts';

/** The most event streams that may be open at once in one process. */
export type StreamLimitSettings = {
  /** Of one caller about one record: a page of it may be open on several devices. */
  readonly perRecord: number;
  /** Of each key. */
  readonly perKey: number;
  /** Of each address, of callers without a key; a whole shop may share one. */
  readonly perAddress: number;
  /** Of all callers without a key together, so that the other connections remain for terminals and keys. */
  readonly withoutKey: number;
};

export type StreamLimit = keyof StreamLimitSettings;

/** What an open stream counts towards. */
export type StreamHolder = { readonly limit: StreamLimit; readonly who: string };

/** A terminal has one stream and a newer one replaces it, so nothing that others do refuses it. */
export function streamHolders(
  caller: AnyCaller,
  { record, address }: { readonly record: string; readonly address: string },
): readonly StreamHolder[] {
  if (caller.kind === 'deviceToken') return [];
  const key = callerId(caller);
  return [
    { limit: 'perRecord', who: `${key ?? ''} ${record}` },
    ...(key === undefined
      ? ([
          { limit: 'perAddress', who: address },
          { limit: 'withoutKey', who: 'anybody' },
        ] as const)
      : ([{ limit: 'perKey', who: key }] as const)),
  ];
}

/** Whether an operation responds with a stream that may be refused because others are open. */
export function isLimitedStream({ responses, authentication }: AnyContract): boolean {
  const isStream = Object.values(responses).some(response => response?.kind === 'eventStream');
  return isStream && authentication.some(scheme => scheme !== 'deviceToken');
}

/** How soon a caller may try again: by then a connection that stopped reading is closed. */
const retryAfterSeconds = 30;

export const tooManyOpenStreams = {
  status: 429,
  message: 'Too many event streams are open: read the record instead, and open a stream later',
  metadata: { reason: 'too_many_open_streams', retryAfterSeconds },
} as const satisfies Problem;

/** The open streams that count towards one limit of one caller, record or address. */
export type StreamCount = { readonly key: string; open: number };

/** The open streams of this process by what they count towards. */
export function openStreamCounts(settings: StreamLimitSettings) {
  const counts = new Map<string, StreamCount>();

  return {
    /** Counts one more stream towards each of these, or towards none if a limit is reached, which it returns. */
    open(
      holders: readonly StreamHolder[],
    ): { readonly counted: readonly StreamCount[] } | { readonly reached: StreamLimit } {
      const counted: StreamCount[] = [];
      for (const { limit, who } of holders) {
        const key = `${limit} ${who}`;
        const count = counts.get(key) ?? { key, open: 0 };
        if (count.open >= settings[limit]) return { reached: limit };
        counted.push(count);
      }
      for (const count of counted) {
        count.open += 1;
        counts.set(count.key, count);
      }
      return { counted };
    },
    close(counted: readonly StreamCount[]): void {
      for (const count of counted) {
        count.open -= 1;
        if (count.open === 0) counts.delete(count.key);
      }
    },
  };
}

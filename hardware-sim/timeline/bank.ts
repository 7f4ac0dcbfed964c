import type { Cancel, Timers } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Happening } from './timeline.ts';

/** A request that the sandbox's bank carried out, as its control interface lists it. */
const requests = z.array(
  z.object({
    id: z.int(),
    at: z.number(),
    action: z.string(),
    transactionUnique: z.string().nullable(),
    xref: z.string().nullable(),
    responseCode: z.int(),
  }),
);
type BankRequest = z.output<typeof requests>[number];

const askEveryMs = 1_000;
const answersWithinMs = 5_000;

/**
 * Asks the bank's control interface, while the simulator runs, which requests it carried out. One that never reached it
 * is not among them; one whose reply was lost is. Returns a function that ends it.
 */
export function watchBank(options: {
  /** Null without a bank. */
  readonly controlUrl: string | null;
  readonly timers: Timers;
  readonly onEvent: (event: Happening) => void;
}): Cancel {
  const { controlUrl, timers, onEvent } = options;
  if (controlUrl === null) return () => undefined;
  /** The last request that was told; those from before the simulator started are not. */
  let last: number | undefined;
  let isReached = true;
  let stop: Cancel = () => undefined;
  const ended = new AbortController();

  function tell(carriedOut: readonly BankRequest[]): void {
    if (last !== undefined)
      for (const one of carriedOut)
        onEvent({ lane: 'bank', text: wordsOf(one), at: one.at, isRoutine: one.action === 'QUERY' });
    last = carriedOut.at(-1)?.id ?? last ?? 0;
  }

  async function ask(): Promise<void> {
    try {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(answersWithinMs)]);
      const response = await fetch(new URL(`/control/requests?after=${last ?? 0}`, controlUrl ?? ''), { signal });
      tell(requests.parse(await response.json()));
      isReached = true;
    } catch {
      if (isReached && !ended.signal.aborted) onEvent({ lane: 'bank', text: 'The sandbox bank cannot be reached' });
      isReached = false;
    }
    if (!ended.signal.aborted) stop = timers.after(askEveryMs, () => void ask());
  }

  void ask();
  return () => {
    ended.abort();
    stop();
  };
}

const names: Readonly<Record<string, string>> = {
  CARD_PRESENT: 'Sale at a terminal',
  CARD_PRESENT_LOOKUP: 'Enquiry about a sale at a terminal',
  SALE: 'Online sale',
  CANCEL: 'Void',
  REFUND_SALE: 'Refund',
  QUERY: 'Enquiry',
  VERIFY: 'Check of a card',
  CAPTURE: 'Capture',
};

const enquiries: ReadonlySet<string> = new Set(['QUERY', 'CARD_PRESENT_LOOKUP']);

function wordsOf({ action, responseCode, transactionUnique, xref }: BankRequest): string {
  const isEnquiry = enquiries.has(action);
  const answer = isEnquiry ? 'answered' : responseCode === 0 ? 'approved' : `refused, code ${responseCode}`;
  const about = transactionUnique ?? xref;
  return `${names[action] ?? action}: ${answer}${about === null ? '' : `, ${about}`}`;
}

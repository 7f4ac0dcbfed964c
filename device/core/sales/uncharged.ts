import type { Clock } from '@florin/shared/ports.ts';
import { type UnchargedSale, unchargedWhy } from '../../ipc/view.ts';
import type { BitcoinContext } from '../bitcoin/machine.ts';
import type { Stored } from '../flows/durable.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { UnchargedChange } from '../store/uncharged.ts';
import type { SaleContext } from './context.ts';
import type { ReaderState } from './decision.ts';

export type UnchargedPorts = {
  readonly clock: Clock;
  readonly time: Pick<TrustedTime, 'now'>;
  /** What the software that started the sale calls it; null if it was keyed in on this terminal. */
  readonly requestedReference: (saleId: string) => string | null;
};

/** Reports after which a reader that authorises by itself has certainly asked nobody: it was not given the sale, or says so. */
const nobodyAsked: ReadonlySet<ReaderState> = new Set([
  'not_reported',
  'forgotten',
  'cancelled',
  'timed_out',
  'not_available',
]);

/**
 * Whether no authorisation of this sale was sent. One that the service does not know (`not_found`) may still arrive: such a
 * sale is listed once it is no longer watched for.
 */
function isUnasked(context: SaleContext): boolean {
  const { saleId, transactionId, bank, reader, authorisation, record, reversal } = context;
  if (record !== null || reversal !== 'none') return false;
  // It was to be paid in bitcoin before, and its code may have been shown.
  if (transactionId !== saleId) return false;
  if (authorisation === 'reader') return bank === 'not_asked' && nobodyAsked.has(reader);
  return bank === 'not_asked' || bank === 'refused' || bank === 'not_found';
}

/** What is stored of a card sale in this state, so that staff find it if it ended before any money was asked for. */
export function unchargedByCard({ value, context }: Stored<SaleContext>, ports: UnchargedPorts): UnchargedChange {
  const isOver = value === 'done' && isUnasked(context);
  return { saleId: context.saleId, sale: isOver ? unchargedOf(context, ports) : null };
}

/** The same of a sale in bitcoin: without a code nothing can have been paid. */
export function unchargedInBitcoin({ value, context }: Stored<BitcoinContext>, ports: UnchargedPorts): UnchargedChange {
  const isOver = value === 'done' && context.sale === null;
  return { saleId: context.saleId, sale: isOver ? unchargedOf(context, ports) : null };
}

type Ended = Pick<SaleContext, 'saleId' | 'amountMinor' | 'tipMinor' | 'currency' | 'reference' | 'startedAt'> & {
  readonly outcome: SaleContext['outcome'] | BitcoinContext['outcome'];
};

function unchargedOf(ended: Ended, { clock, time, requestedReference }: UnchargedPorts): UnchargedSale | null {
  const { saleId, amountMinor, tipMinor = 0, currency, outcome } = ended;
  const why = unchargedWhy.safeParse(outcome?.why).data;
  if (why === undefined || !outcome || outcome.kind === 'approved') return null;
  return {
    kind: 'uncharged',
    saleId,
    outcome: outcome.kind,
    why,
    amountMinor,
    tipMinor,
    currency,
    reference: ended.reference ?? requestedReference(saleId),
    // The list is in the order of the service's time, and the clock of this machine may be set wrong.
    startedAt: ended.startedAt + time.now() - clock.now(),
  };
}

import type { Log } from '@florin/shared/ports.ts';
import type { EndOfDayOutcome, ReaderTotals } from '../reader.ts';
import { endOfDay, repeatReceipt } from './commands.ts';
import type { StatusFacts } from './messages.ts';
import { type Listener, quickCommandMs, type Session } from './session.ts';

const pleaseWait = 0x9c;
const ignored = { onProgress: () => undefined, onPrint: () => undefined };

/**
 * Has the reader close its day. The totals are stored before they are acknowledged, because the reader reports them once.
 * The protocol cannot ask afterwards whether the day was closed: without the reader's own word the outcome is unknown.
 */
export async function closeDay(options: {
  session: Session;
  password: string;
  terminalId: string;
  store: (totals: ReaderTotals) => void;
  log: Log;
}): Promise<EndOfDayOutcome> {
  const { session, password, log } = options;
  const nothing: Listener = { ...ignored, onStatus: () => true };
  const asked = await session.run(repeatReceipt(password), nothing, quickCommandMs);
  if (asked.kind === 'lost') return refused('not_connected');
  if (asked.kind === 'refused' && asked.code === pleaseWait) return refused('busy');
  let isStored = false;
  const ended = await session.run(endOfDay(password), {
    ...ignored,
    onStatus({ facts, dayTotals }) {
      const totals = facts.result === 0 ? totalsOf(options.terminalId, facts, dayTotals) : undefined;
      if (totals) options.store(totals);
      isStored ||= totals !== undefined;
      return facts.result !== 0 || isStored;
    },
  });
  log.info({ serial: options.terminalId, ended: ended.kind, isStored }, 'the reader was asked to close its day');
  switch (ended.kind) {
    case 'completed':
      return isStored ? { kind: 'closed' } : { kind: 'unknown' };
    case 'aborted':
      return isStored ? { kind: 'unknown' } : refused(`aborted_${hex(ended.code)}`);
    case 'refused':
      // It was not busy a moment ago: it may be so with this very command, if its first answer was lost.
      return ended.code === pleaseWait ? { kind: 'unknown' } : refused(`refused_${hex(ended.code)}`);
    case 'lost':
      return { kind: 'unknown' };
  }
}

/** Undefined without an amount, and for the totals of another reader. */
function totalsOf(
  readerSerial: string,
  { amountMinor, currency, terminalId }: StatusFacts,
  dayTotals: Pick<ReaderTotals, 'receipts' | 'cardTypes'> = { cardTypes: [] },
): ReaderTotals | undefined {
  if (amountMinor === undefined || (terminalId ?? readerSerial) !== readerSerial) return undefined;
  return { readerSerial, totalMinor: amountMinor, ...(currency === undefined ? {} : { currency }), ...dayTotals };
}

function refused(reason: string): EndOfDayOutcome {
  return { kind: 'refused', reason };
}

function hex(code: number): string {
  return code.toString(16).padStart(2, '0');
}

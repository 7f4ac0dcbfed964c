import {
  type ReaderClosing,
  readerTotals,
  recordReaderClosing,
} from '@florin/shared/contracts/device-v1/reader-closings.ts';
import { formatMoney } from '@florin/shared/money.ts';
import { type Clock, type Ids, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Notice, Screen } from '../../ipc/view.ts';
import type { CardReader, EndOfDayOutcome, ReaderTotals } from '../../readers/reader.ts';
import type { TerminalState } from '../state.ts';
import { damaged, type Store } from '../store/store.ts';
import type { DisplaySettings } from '../words.ts';

/** What is stored from before the reader is asked until its outcome is a report for the service. */
const underWay = recordReaderClosing.body.omit({ isConfirmed: true }).extend({ closingId: z.string() });
type UnderWay = z.output<typeof underWay>;

type Result =
  | { readonly kind: 'refused'; readonly reason: string }
  /** It is reported to the service, which has not compared it yet. */
  | { readonly kind: 'waiting'; readonly closingId: string; readonly isConfirmed: boolean }
  | { readonly kind: 'compared'; readonly closing: ReaderClosing; readonly isConfirmed: boolean };

export type ReaderDayPorts = {
  readonly store: Store;
  readonly reader: CardReader;
  readonly state: TerminalState;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly displaySettings: () => DisplaySettings;
  readonly deliverReports: () => Promise<boolean>;
  readonly changed: () => void;
  readonly background: (work: () => Promise<void>) => void;
};

/**
 * The end of the day of a reader that authorises by itself. It is stored before the reader is asked, and its totals before they
 * are acknowledged; only the service compares them.
 */
export class ReaderDay {
  readonly #ports: ReaderDayPorts;
  #isOpen = false;
  #result: Result | undefined;

  constructor(ports: ReaderDayPorts) {
    this.#ports = ports;
  }

  /** Whether the reader has a day of its own. */
  isOffered(): boolean {
    return this.#ports.reader.endOfDay !== undefined;
  }

  /** The screen, undefined while it is not open. */
  screen(): Screen | undefined {
    if (!this.#isOpen) return undefined;
    const { state } = this.#ports;
    const result = this.#result;
    const agrees = result?.kind === 'compared' && result.isConfirmed && result.closing.comparison === 'agrees';
    return { name: 'reader_day', busy: state.isReaderClosing, agrees, lines: this.#lines(), notice: this.#notice() };
  }

  open(): boolean {
    if (!this.isOffered()) return false;
    this.#isOpen = true;
    this.#ports.changed();
    return true;
  }

  close(): void {
    this.#isOpen = false;
    if (!this.#ports.state.isReaderClosing) this.#result = undefined;
  }

  /** An end of day that a restart interrupted: whether the reader closed its day is not known. */
  resume(): void {
    const stored = this.#ports.store.flow('closing');
    if (!stored) return;
    const context = underWay.safeParse(stored.context);
    if (!context.success) throw damaged('closing');
    this.#end(context.data, { kind: 'unknown' });
  }

  /** Has the reader close its day. False if that is not possible now. */
  closeDay(): boolean {
    const { reader, state, ids, clock, background } = this.#ports;
    const { serial } = reader.status();
    if (!this.#isOpen || !this.isOffered() || state.isReaderClosing) return false;
    if (serial === undefined) {
      this.#show({ kind: 'refused', reason: 'not_connected' });
      return true;
    }
    const begun: UnderWay = {
      closingId: ids.next(idPrefixes.readerClosing),
      readerSerial: serial,
      closedAt: new Date(clock.now()).toISOString(),
      currency: state.configured().business.currency,
      totals: null,
    };
    state.isReaderClosing = true;
    this.#store(begun);
    this.#show(undefined);
    background(() => this.#ask(begun));
    return true;
  }

  /** The service compared the totals. */
  compared(closing: ReaderClosing): void {
    const result = this.#result;
    if (result?.kind !== 'waiting' || result.closingId !== closing.closingId) return;
    this.#show({ kind: 'compared', closing, isConfirmed: result.isConfirmed });
  }

  async #ask(begun: UnderWay): Promise<void> {
    const { reader, state } = this.#ports;
    let context = begun;
    let outcome: EndOfDayOutcome = { kind: 'unknown' };
    try {
      if (!reader.endOfDay) return;
      outcome = await reader.endOfDay(totals => {
        context = { ...context, totals: totalsOf(totals), currency: totals.currency ?? context.currency };
        this.#store(context);
      });
    } finally {
      state.isReaderClosing = false;
      if (!state.isClosed) this.#end(context, outcome);
    }
  }

  #end(context: UnderWay, outcome: EndOfDayOutcome): void {
    const { store, clock, log, background, deliverReports } = this.#ports;
    const { closingId, ...facts } = context;
    log.info({ closingId, outcome }, 'the end of the reader’s day');
    if (outcome.kind === 'refused') {
      store.saveFlow({ kind: 'closing', snapshot: null, at: clock.now() });
      this.#show({ kind: 'refused', reason: outcome.reason });
      return;
    }
    const isConfirmed = outcome.kind === 'closed';
    const recordJson = JSON.stringify({ ...facts, isConfirmed });
    const report = { saleId: closingId, kind: 'closing', reason: null, until: null, recordJson } as const;
    store.saveFlow({ kind: 'closing', snapshot: null, at: clock.now(), reports: [report] });
    this.#show({ kind: 'waiting', closingId, isConfirmed });
    background(async () => void (await deliverReports()));
  }

  #store(context: UnderWay): void {
    const { store, clock } = this.#ports;
    store.saveFlow({ kind: 'closing', snapshot: { value: 'closing', context }, at: clock.now() });
  }

  #show(result: Result | undefined): void {
    this.#result = result;
    this.#ports.changed();
  }

  #lines(): { label: string; value: string }[] {
    if (this.#result?.kind !== 'compared') return [];
    const { totalInCents, recordedInCents, currency } = this.#result.closing;
    const { words } = this.#ports.displaySettings();
    const line = (label: string, amountMinor: number | null) =>
      amountMinor === null ? [] : [{ label, value: this.#amount(Math.abs(amountMinor), currency) }];
    return [...line(words.readerDay.byReader, totalInCents), ...line(words.readerDay.byRecords, recordedInCents)];
  }

  #notice(): Notice | null {
    const { readerDay: words } = this.#ports.displaySettings().words;
    const result = this.#result;
    if (!result) return null;
    if (result.kind === 'refused') {
      const isNamed = result.reason in words.refused;
      return words.refused[isNamed ? (result.reason as keyof typeof words.refused) : 'other'];
    }
    if (!result.isConfirmed) return words.not_received;
    if (result.kind === 'waiting') return words.waiting;
    const { comparison, totalInCents, recordedInCents, currency } = result.closing;
    if (comparison !== 'differs') return words[comparison];
    return words.differs(this.#amount(Math.abs(Math.abs(recordedInCents ?? 0) - (totalInCents ?? 0)), currency));
  }

  #amount(amountMinor: number, currency: string): string {
    return formatMoney({ amountMinor, currency }, this.#ports.displaySettings().locale);
  }
}

function totalsOf({ totalMinor, receipts, cardTypes }: ReaderTotals): z.output<typeof readerTotals> {
  const types = cardTypes.map(({ name, count, amountMinor }) => ({ name, count, amountInCents: amountMinor }));
  return readerTotals.parse({ totalInCents: totalMinor, receipts: receipts ?? null, cardTypes: types });
}

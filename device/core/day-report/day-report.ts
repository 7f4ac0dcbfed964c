import { type DayTotals, getDayTotals } from '@florin/shared/contracts/device-v1/day-totals.ts';
import { recordSale } from '@florin/shared/contracts/device-v1/sales.ts';
import type { Cancel, Clock, Instant, Log, Timers } from '@florin/shared/ports.ts';
import type { Notice, Screen } from '../../ipc/view.ts';
import type { Printer, PrintOutcome } from '../../printers/printer.ts';
import { printNotice } from '../printing/words.ts';
import { businessDay, type TrustedTime, timeAtBusiness } from '../staff/time.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from '../sync/connection.ts';
import type { DisplaySettings } from '../words.ts';
import { dayReportLines, type ReportScope, type ReportSection, type Unsent } from './lines.ts';
import { dayReportPaper } from './paper.ts';
import type { ReaderDay } from './reader-day.ts';

/** The delay before a failed request is repeated while the service is reachable. */
const readAgainMs = 3_000;

type Shown = {
  /** YYYY-MM-DD at the business. */
  readonly date: string;
  readonly scope: ReportScope;
  readonly busy: boolean;
  /** The last that the service sent, now or earlier; undefined if it never did. */
  readonly totals: DayTotals | undefined;
  readonly isNotReached: boolean;
  /** How the last print of what is shown ended; undefined if there was none. */
  readonly print?: 'printing' | PrintOutcome | undefined;
};

export type DayReportPorts = {
  readonly store: Store;
  readonly connection: Connection;
  readonly printer: Printer;
  readonly time: TrustedTime;
  readonly uptime: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly readerDay: Pick<ReaderDay, 'isOffered'>;
  readonly displaySettings: () => DisplaySettings;
  readonly changed: () => void;
};

/**
 * The totals of a day: the service's, or while offline the last that it sent, with what this terminal has not delivered. They
 * are never counted here.
 */
export class DayReport {
  readonly #ports: DayReportPorts;
  #shown: Shown | undefined;
  #reread: Cancel | undefined;

  constructor(ports: DayReportPorts) {
    this.#ports = ports;
  }

  /** The screen of the report; undefined while it is not open. */
  screen(): Screen | undefined {
    const shown = this.#shown;
    if (!shown) return undefined;
    const { date, scope, busy } = shown;
    const offlineSince = this.#offlineSince();
    return {
      name: 'day_report',
      date,
      scope,
      busy,
      isToday: date === this.#today(),
      sections: this.#sections(shown, offlineSince).map(({ title, lines }) => ({ title, lines: [...lines] })),
      print: this.#printState(shown),
      hasReaderDay: this.#ports.readerDay.isOffered(),
      notice: this.#printProblem(shown) ?? this.#notice(shown, offlineSince),
    };
  }

  /** Prints what is shown. False if there is nothing to print, or no printer, or it is printing. */
  print(): boolean {
    const { printer, displaySettings } = this.#ports;
    const shown = this.#shown;
    if (!shown?.totals || printer.status() === 'none' || shown.print === 'printing') return false;
    this.#show({ ...shown, print: 'printing' });
    this.#background(async () => {
      const print = await printer.print(dayReportPaper(this.#sections(shown, this.#offlineSince()), displaySettings()));
      // Another report may be shown by now.
      if (this.#shown?.print === 'printing') this.#show({ ...this.#shown, print });
    });
    return true;
  }

  close(): void {
    this.#shown = undefined;
    this.#reread?.();
  }

  /** Shows a day, without a date today; the figures of any other terminal are only in those of the business. */
  show({ date = this.#today(), scope }: { readonly date?: string | undefined; readonly scope: ReportScope }): void {
    const totals = this.#ports.store.dayTotals(date);
    this.#show({ date, scope, busy: true, totals, isNotReached: false });
    this.#background(async () => {
      const response = await this.#ports.connection.call(getDayTotals, { query: { date } });
      const shown = this.#shown;
      if (shown?.date !== date) return;
      if (response.kind !== 'answered') return this.#notReached(shown);
      this.#ports.store.saveDayTotals(response.body);
      this.#show({ ...shown, busy: false, totals: response.body, isNotReached: false });
    });
  }

  /** A report that could not be read before is read again. */
  reconnected(): void {
    if (this.#shown?.isNotReached) this.show(this.#shown);
  }

  #sections({ totals, scope, date }: Shown, offlineSince: Instant | null): ReportSection[] {
    const { time, displaySettings } = this.#ports;
    if (totals === undefined) return [];
    const settings = displaySettings();
    return dayReportLines({ totals, scope, settings, offlineSince, unsent: this.#unsent(date), now: time.now() });
  }

  #printState({ totals, print }: Shown): 'possible' | 'printing' | 'printed' | 'failed' | null {
    if (totals === undefined || this.#ports.printer.status() === 'none') return null;
    if (print === undefined || print === 'printing') return print ?? 'possible';
    return print.kind === 'printed' ? 'printed' : 'failed';
  }

  #printProblem({ print }: Shown): Notice | undefined {
    if (print === undefined || print === 'printing' || print.kind === 'printed') return undefined;
    // A part of it may have come out: a second report does no harm.
    return printNotice(print.why, { words: this.#ports.displaySettings().words.printing, mayHavePrinted: false });
  }

  #notReached(shown: Shown): void {
    this.#show({ ...shown, busy: false, isNotReached: true });
    // No reconnection will be reported if the connection was never lost, so a timer repeats the request.
    if (this.#ports.connection.state() !== 'offline')
      this.#reread = this.#ports.timers.after(readAgainMs, () => this.reconnected());
  }

  #notice({ totals, isNotReached }: Shown, offlineSince: Instant | null): Notice | null {
    if (!isNotReached) return null;
    const { dayReport: words } = this.#ports.displaySettings().words;
    if (!totals) return words.neverReceived;
    const asOf = this.#timeText(Date.parse(totals.asOf));
    if (this.#ports.connection.state() !== 'offline') return words.notReached(asOf);
    return words.offline(asOf, offlineSince === null ? null : this.#timeText(offlineSince));
  }

  #timeText(at: Instant): string {
    const { time, displaySettings } = this.#ports;
    const { timeZone, locale } = displaySettings();
    return timeAtBusiness({ at, now: time.now(), timeZone, locale });
  }

  #today(): string {
    const { time, displaySettings } = this.#ports;
    return businessDay(time.now(), displaySettings().timeZone);
  }

  /** When the service last answered; null if it is reachable or has not answered since the start. */
  #offlineSince(): Instant | null {
    const { connection, time, uptime } = this.#ports;
    const lastResponseAt = connection.lastResponseAt();
    if (connection.state() !== 'offline' || !Number.isFinite(lastResponseAt)) return null;
    return Math.round(time.now() - (uptime.now() - lastResponseAt));
  }

  /** Of today: what waits since an earlier day was not part of it either, and is sent today. */
  #unsent(date: string): Unsent {
    const { store } = this.#ports;
    const reports = date === this.#today() ? store.pendingReports() : [];
    const recorded = reports.flatMap(({ kind, recordJson }) => {
      if (kind !== 'record' || recordJson === null) return [];
      const { amountInCents: amountMinor, currency } = recordSale.body.parse(JSON.parse(recordJson));
      return [{ amountMinor, currency }];
    });
    return {
      recorded,
      completedCount: reports.filter(({ kind }) => kind === 'complete').length,
      reversedCount: reports.filter(({ kind }) => kind === 'reverse').length,
      entryCount: date === this.#today() ? store.outboxSize() : 0,
    };
  }

  #show(shown: Shown): void {
    this.#reread?.();
    this.#shown = shown;
    this.#ports.changed();
  }

  #background(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#ports.log.error({ error: String(error) }, 'the totals could not be read'));
  }
}

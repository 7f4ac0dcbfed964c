import type { TerminalHealth } from '@florin/shared/contracts/device-v1/commands.ts';
import type { Clock } from '@florin/shared/ports.ts';
import type { Notice } from '../../ipc/view.ts';
import type { Printer } from '../../printers/printer.ts';
import type { TrustedTime } from '../staff/time.ts';
import { unreadable } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { CoreWords } from '../words.ts';

type Problem = TerminalHealth['problems'][number];

/** Problems with this terminal's storage, and with records that do not reach the service, for support to look into. */
export function terminalProblems(store: Store): readonly { readonly kind: Problem; readonly count: number }[] {
  const refused = store.refusedEntries();
  const damaged = refused.filter(({ refusal }) => refusal === unreadable).length;
  const counts: Readonly<Record<Problem, number>> = {
    disk_full: store.hasRoom() ? 0 : 1,
    storage_rebuilt: store.rescue ? 1 : 0,
    entries_refused: refused.length - damaged,
    entries_damaged: damaged,
    reports_refused: store.pendingReports().filter(({ refusal }) => refusal !== null).length,
    reports_of_another_business: store.outboxElsewhere() + store.reportsElsewhere(),
  };
  return Object.entries(counts).flatMap(([kind, count]) => (count === 0 ? [] : [{ kind: kind as Problem, count }]));
}

/** The notices of them, for staff. */
export function terminalAlerts(store: Store, { alerts }: CoreWords): Notice[] {
  const notices: Readonly<Record<Problem, { readonly message: string; readonly detail: string }>> = {
    disk_full: alerts.diskFull,
    storage_rebuilt: alerts.storageRebuilt,
    entries_refused: alerts.refusedEntry,
    entries_damaged: alerts.damagedEntry,
    reports_refused: alerts.refusedReport,
    reports_of_another_business: alerts.elsewhere,
  };
  return terminalProblems(store).map(({ kind, count }) => {
    const { message, detail } = notices[kind];
    return { message, detail: count === 1 ? detail : `${alerts.count(count)} ${detail}` };
  });
}

/** How many reports and records the service has not acknowledged yet. */
export function waitingReports(store: Store): number {
  return store.outboxSize() + store.pendingReports().filter(({ kind }) => kind !== 'watch').length;
}

/** How far the machine's clock is ahead of the service's, to the second; null until they were compared. */
export function clockAheadMs({ clock, time }: { readonly clock: Clock; readonly time: TrustedTime }): number | null {
  return time.isSynchronised() ? Math.round((clock.now() - time.now()) / 1_000) * 1_000 : null;
}

/** What this terminal reports of itself to the service, beside its readiness. */
export function terminalHealth(ports: {
  readonly store: Store;
  readonly printer: Pick<Printer, 'status'>;
  readonly clock: Clock;
  readonly time: TrustedTime;
}): TerminalHealth {
  const { store, printer } = ports;
  return {
    configurationVersion: store.configuration()?.version ?? null,
    printer: printer.status(),
    waitingReports: waitingReports(store),
    clockAheadMs: clockAheadMs(ports),
    problems: terminalProblems(store).map(({ kind }) => kind),
  };
}

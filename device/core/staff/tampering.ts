import type { Log } from '@florin/shared/ports.ts';
import { changed, unreadable } from '../store/outbox.ts';
import type { Store } from '../store/store.ts';
import type { EntryRecorder } from '../sync/entries.ts';
import type { TrustedTime } from './time.ts';

/** Detects changes to this terminal's storage or clock and records them for the service. */
export interface TamperingChecks {
  run(): void;
}

const clockToleranceMs = 60_000;
const entriesChecked = 500;

/** Each fault is logged and recorded as a signed entry once; a moved clock once per program start. */
export function createTamperingChecks(options: {
  store: Store;
  time: TrustedTime;
  entries: EntryRecorder;
  log: Log;
  /** Before enrolment there is nothing to protect. */
  enrolled: () => boolean;
}): TamperingChecks {
  const { store, time, entries, log } = options;
  let isClockReported = false;
  let isRescueReported = false;

  function report(found: Parameters<EntryRecorder['recordTampering']>[0]['found'], description: string): void {
    log.error({ found, description }, 'stored data was tampered with');
    entries.recordTampering({ found, description });
  }

  function checkCounts(): void {
    const fault = store.unreportedGuardFault();
    if (fault === null) return;
    if (fault === 'missing') report('rows_missing', 'The counts of failed passwords were deleted');
    else report('lockouts_changed', 'The counts of failed passwords were changed');
    store.saveGuardFaultReported();
  }

  function checkOutbox(): void {
    const missing = store.takeMissingEntries();
    if (missing.length > 0) report('rows_missing', `${missing.length} recorded entries were deleted`);
    const damaged = store.setAside(entriesChecked, entry => (entry ? undefined : unreadable));
    if (damaged.length > 0) report('rows_unreadable', `${damaged.length} recorded entries cannot be read`);
    const edited = store.setAside(entriesChecked, entry => (entry && !entries.isGenuine(entry) ? changed : undefined));
    if (edited.length > 0) report('outbox_changed', `${edited.length} recorded entries were changed`);
  }

  function checkRescue(): void {
    if (isRescueReported || !store.rescue) return;
    isRescueReported = true;
    const { incomplete } = store.rescue;
    const lost = incomplete.length > 0 ? `rows of ${incomplete.join(', ')} were lost` : 'every row was read';
    report('rows_unreadable', `The database of the terminal was damaged and rebuilt: ${lost}`);
  }

  function checkClock(): void {
    const movedMs = time.clockMovedMs();
    if (isClockReported || Math.abs(movedMs) < clockToleranceMs || !store.hasLockouts()) return;
    isClockReported = true;
    report('clock_moved', `The clock was moved by ${Math.round(movedMs / 1_000)} seconds while passwords were counted`);
  }

  return {
    run() {
      if (!options.enrolled()) return;
      checkRescue();
      checkCounts();
      checkOutbox();
      checkClock();
    },
  };
}

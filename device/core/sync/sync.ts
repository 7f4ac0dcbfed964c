import { getTerminalConfiguration, type TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Cancel, Timers } from '@florin/shared/ports.ts';
import type { Log } from '../ports.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connection.ts';
import type { PendingReports } from './pending-reports.ts';

/** Hands over what happened here and takes what changed there, on its own rhythm and whenever asked. */
export interface Sync {
  start(): void;
  /** Soon, because there is something to tell or a change to fetch. */
  kick(): void;
  /** One round now; resolves whether everything that was waiting has been taken. */
  round(): Promise<boolean>;
  stop(): void;
}

const onlineEveryMs = 30_000;
const offlineFirstMs = 1_000;
const offlineMostMs = 60_000;
const entriesPerCall = 500;

export function createSync(options: {
  store: Store;
  connection: Connection;
  pendingReports: PendingReports;
  time: TrustedTime;
  timers: Timers;
  log: Log;
  /** Whether there is a service to sync with: an enrolled terminal. */
  enrolled: () => boolean;
  configurationChanged: (configuration: TerminalConfiguration) => void;
  progressed: () => void;
}): Sync {
  const { store, connection, pendingReports, time, timers, log } = options;
  let running: Promise<boolean> | undefined;
  let next: Cancel | undefined;
  let stopped = true;
  let failures = 0;
  let again = false;

  function take(configuration: TerminalConfiguration): void {
    // With nothing left to tell, the service's count of failed passwords includes everything counted here.
    const settledStaff = store.outboxSize() === 0 ? configuration.staff.map(member => member.id) : [];
    store.saveConfiguration(configuration, { settledStaff });
    options.configurationChanged(configuration);
  }

  async function exchange(): Promise<boolean> {
    for (;;) {
      const entries = store.outbox(entriesPerCall);
      const { version: configurationVersion = null, terminal } = store.configuration() ?? {};
      const lastSequence = terminal ? store.lastOutboxSequence(terminal.id) : 0;
      const answer = await connection.call(syncTerminal, { body: { configurationVersion, entries, lastSequence } });
      if (answer.kind !== 'answered') return answer.kind === 'refused' && (await fetchConfiguration());
      const { acknowledged, configuration, serverTime } = answer.body;
      for (const { entryId, outcome, message } of acknowledged) {
        if (outcome === 'refused') log.error('outbox_entry_refused', { entryId, message });
      }
      store.acknowledge(acknowledged.map(({ entryId }) => entryId));
      time.learn(Date.parse(serverTime));
      if (configuration) take(configuration);
      options.progressed();
      const left = store.outboxSize();
      // Without progress the service and this terminal do not understand each other: later, not at once.
      if (left === 0 || acknowledged.length === 0) return left === 0;
    }
  }

  /** Where the service does not take the entries, what this terminal runs by is still kept fresh. */
  async function fetchConfiguration(): Promise<false> {
    const answer = await connection.call(getTerminalConfiguration, {});
    if (answer.kind === 'answered') {
      store.saveConfiguration(answer.body, { settledStaff: [] });
      options.configurationChanged(answer.body);
    }
    return false;
  }

  async function oneRound(): Promise<boolean> {
    if (!options.enrolled()) return false;
    const reportedEverything = await pendingReports.deliver();
    const toldEverything = await exchange();
    if (connection.state() === 'online') failures = 0;
    else failures += 1;
    return reportedEverything && toldEverything;
  }

  function round(): Promise<boolean> {
    running ??= oneRound()
      .catch((error: unknown) => {
        log.error('sync_failed', { error: String(error) });
        return false;
      })
      .finally(() => {
        running = undefined;
        const pauseMs = failures === 0 ? onlineEveryMs : Math.min(offlineFirstMs * 2 ** (failures - 1), offlineMostMs);
        schedule(again ? 0 : pauseMs);
        again = false;
      });
    return running;
  }

  function schedule(delayMs: number): void {
    next?.();
    if (stopped) return;
    next = timers.after(delayMs, () => {
      time.now();
      time.keep();
      void round();
    });
  }

  return {
    start() {
      stopped = false;
      schedule(0);
    },
    kick() {
      if (running) again = true;
      else schedule(0);
    },
    round,
    stop() {
      stopped = true;
      next?.();
    },
  };
}

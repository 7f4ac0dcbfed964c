import { getTerminalConfiguration, type TerminalConfiguration } from '@florin/shared/contracts/device-v1/enrolment.ts';
import { type OutboxEntry, syncTerminal } from '@florin/shared/contracts/device-v1/sync.ts';
import type { Cancel, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { Publish } from '../facts.ts';
import type { ServiceResponse } from '../service/client.ts';
import type { Lockouts } from '../staff/lockouts.ts';
import type { TrustedTime } from '../staff/time.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connection.ts';
import type { PendingReports } from './pending-reports.ts';
import { spreadPause } from './spread.ts';

/** Sends local entries and receives changes from the service, at intervals and on request. */
export interface Sync {
  start(): void;
  /** Schedules a sync soon, or after `delayMs`, because there is something to send or to receive. */
  trigger(delayMs?: number): void;
  /** Runs one sync; resolves to whether all waiting entries were accepted. */
  round(): Promise<boolean>;
  stop(): void;
}

const onlineEveryMs = 30_000;
const offlineFirstMs = 1_000;
const offlineMostMs = 60_000;
const entriesPerCall = 500;

/** Whether the service was reached, and whether its refusal may concern a single entry. */
function mayBeOneEntry(response: Exclude<ServiceResponse<typeof syncTerminal>, { kind: 'answered' }>): boolean {
  if (response.kind === 'refused') return response.status !== 401 && response.status !== 429;
  return response.kind === 'unknown' && response.cause.startsWith('status_');
}

/** Runs one round at a time, reports before entries: about every 30 s, while offline with growing pauses from about 1 s to 60 s. */
export function createSync(options: {
  store: Store;
  connection: Connection;
  pendingReports: PendingReports;
  time: TrustedTime;
  timers: Timers;
  random: Random;
  log: Log;
  lockouts: Lockouts;
  /** Records manual changes to this terminal for the service. */
  checkStorage: () => void;
  /** Whether the terminal is enrolled, so that there is a service to sync with. */
  enrolled: () => boolean;
  publish: Publish;
}): Sync {
  const { store, connection, pendingReports, time, timers, random, log } = options;
  let running: Promise<boolean> | undefined;
  let next: Cancel | undefined;
  let stopped = true;
  let failures = 0;
  let again = false;

  function take(configuration: TerminalConfiguration): void {
    const uncounted = new Set(store.staffWithEntries());
    const countedStaff = configuration.staff.map(member => member.id).filter(staffId => !uncounted.has(staffId));
    store.saveConfiguration(configuration, { countedStaff });
    options.lockouts.recordLocksOf(configuration.staff);
    options.publish({ kind: 'configuration_changed', configuration });
  }

  async function exchange(): Promise<boolean> {
    options.checkStorage();
    for (;;) {
      const entries = store.outbox(entriesPerCall);
      const response = await handOver(entries);
      if (response.kind !== 'answered') {
        if (entries.length > 1 && mayBeOneEntry(response)) return handOverSingly(entries);
        return response.kind === 'refused' && (await fetchConfiguration());
      }
      const left = store.outboxSize();
      // Without progress the service does not accept what this terminal sends: try again later, not at once.
      if (left === 0 || response.body.acknowledged.length === 0) return left === 0;
    }
  }

  async function handOver(entries: readonly OutboxEntry[]) {
    const { version: configurationVersion = null, terminal } = store.configuration() ?? {};
    const lastSequence = terminal ? store.lastOutboxSequence(terminal.id) : 0;
    const body = { configurationVersion, entries: [...entries], lastSequence };
    const response = await connection.call(syncTerminal, { body });
    if (response.kind !== 'answered') return response;
    const { acknowledged, configuration, commands, serverTime } = response.body;
    const taken = acknowledged.filter(({ outcome }) => outcome !== 'refused').map(({ entryId }) => entryId);
    const refused = acknowledged
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ entryId, message }) => ({ entryId, refusal: message ?? 'refused' }));
    if (refused.length > 0) log.error({ refused }, 'the service refused outbox entries');
    store.acknowledge({ taken, refused });
    time.learn(Date.parse(serverTime));
    for (const command of commands) options.publish({ kind: 'command_received', command });
    store.saveGuardTrusted();
    if (configuration) take(configuration);
    options.publish({ kind: 'changed' });
    return response;
  }

  /** One entry that the service cannot process must not hold up the others. */
  async function handOverSingly(entries: readonly OutboxEntry[]): Promise<boolean> {
    for (const entry of entries) {
      const response = await handOver([entry]);
      if (response.kind !== 'answered' && !mayBeOneEntry(response)) return false;
    }
    return store.outboxSize() === 0;
  }

  /** Even if the service does not accept the entries, the configuration is kept up to date. */
  async function fetchConfiguration(): Promise<false> {
    const response = await connection.call(getTerminalConfiguration, {});
    if (response.kind === 'answered') {
      store.saveConfiguration(response.body, { countedStaff: [] });
      options.lockouts.recordLocksOf(response.body.staff);
      options.publish({ kind: 'configuration_changed', configuration: response.body });
    }
    return false;
  }

  async function oneRound(): Promise<boolean> {
    if (!options.enrolled()) return false;
    const reportedEverything = await pendingReports.deliver();
    const sentEverything = await exchange();
    if (connection.state() === 'online') failures = 0;
    else failures += 1;
    return reportedEverything && sentEverything;
  }

  function round(): Promise<boolean> {
    running ??= oneRound()
      .catch((error: unknown) => {
        log.error({ error: String(error) }, 'the synchronisation failed');
        return false;
      })
      .finally(() => {
        running = undefined;
        const pauseMs = failures === 0 ? onlineEveryMs : Math.min(offlineFirstMs * 2 ** (failures - 1), offlineMostMs);
        schedule(again ? 0 : spreadPause(random, pauseMs));
        again = false;
      });
    return running;
  }

  function schedule(delayMs: number): void {
    next?.();
    if (stopped) return;
    next = timers.after(delayMs, () => {
      time.keep();
      void round();
    });
  }

  return {
    start() {
      stopped = false;
      schedule(0);
    },
    trigger(delayMs = 0) {
      if (running) again = true;
      else schedule(delayMs);
    },
    round,
    stop() {
      stopped = true;
      next?.();
    },
  };
}

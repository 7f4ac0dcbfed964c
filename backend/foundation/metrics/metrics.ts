import type { Clock, Instant, Log } from '@florin/shared/ports.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import {
  disabledWebhooks,
  expiringApiKeys,
  openDiscrepancies,
  pendingPayments,
  pendingRefunds,
  pendingReversals,
  pendingWithdrawals,
  terminalCounts,
  undeliveredEvents,
  unplacedEvents,
  waitingDeliveries,
  waitingEmails,
} from './store.ts';

export type Metrics = {
  readonly contentType: string;
  /** All metrics in Prometheus format; database counts are read now. */
  text(): Promise<string>;
  streamChanged(
    change:
      | { readonly kind: 'opened' | 'closed'; readonly caller: string }
      | { readonly kind: 'refused'; readonly limit: string }
      | { readonly kind: 'ended'; readonly reason: string },
  ): void;
  answered(request: { readonly operation: string; readonly status: number; readonly durationMs: number }): void;
  gatewayAnswered(call: { readonly operation: string; readonly outcome: string; readonly durationMs: number }): void;
  /** An accepted gateway callback was posted again. */
  callbackRepeated(): void;
  /** Calls with API keys are missing from the request log. */
  requestsUnrecorded(count: number): void;
  /** `waitMs`: from the call until the transaction began. */
  wrote(transaction: { readonly waitMs: number; readonly durationMs: number }): void;
};

export type MetricsOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** How far the system clock stepped ahead of the time elapsed, in milliseconds. */
  readonly clockLagMs: () => number;
  /** The room on the file system of the data folder. */
  readonly room: () => { readonly freeBytes: number; readonly sizeBytes: number };
  /** When the last backup was proven on this machine; undefined if none was. */
  readonly backupProvenAt: () => Instant | undefined;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of one backend. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  processMetrics(registry);
  const requests = new Histogram({
    name: 'florin_http_request_duration_seconds',
    help: 'Time until the response to an HTTP request began, by operation and status',
    labelNames: ['operation', 'status'],
    buckets,
    registers,
  });
  const serverErrors = new Counter({
    name: 'florin_http_server_errors_total',
    help: 'Requests answered with status 500',
    registers,
  });
  const streamChanged = streamMetrics(registry);
  const gatewayCalls = new Histogram({
    name: 'florin_gateway_call_duration_seconds',
    help: 'Duration of a card gateway call, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    buckets,
    registers,
  });
  const repeatedCallbacks = new Counter({
    name: 'florin_gateway_callbacks_repeated_total',
    help: 'Accepted card gateway callbacks that were posted again',
    registers,
  });
  const unrecordedRequests = new Counter({
    name: 'florin_api_requests_unrecorded_total',
    help: 'Calls with API keys that are missing from the request log',
    registers,
  });
  const writeWait = new Histogram({
    name: 'florin_database_write_wait_seconds',
    help: 'Time from requesting a transaction until it began',
    buckets,
    registers,
  });
  const writes = new Histogram({
    name: 'florin_database_write_duration_seconds',
    help: 'Time from requesting a transaction until it was durable',
    buckets,
    registers,
  });
  const readBacklogs = backlogs(registry, options);
  machineMetrics(registry, options);

  return {
    contentType: registry.contentType,
    async text() {
      await readBacklogs();
      return registry.metrics();
    },
    streamChanged,
    answered({ operation, status, durationMs }) {
      requests.observe({ operation, status }, durationMs / 1_000);
      if (status === 500) serverErrors.inc();
    },
    gatewayAnswered: ({ operation, outcome, durationMs }) =>
      gatewayCalls.observe({ operation, outcome }, durationMs / 1_000),
    callbackRepeated: () => repeatedCallbacks.inc(),
    requestsUnrecorded: count => unrecordedRequests.inc(count),
    wrote({ waitMs, durationMs }) {
      writeWait.observe(waitMs / 1_000);
      writes.observe(durationMs / 1_000);
    },
  };
}

/** Those of prom-client, without gauges whose names end like those of counters. */
function processMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
}

function streamMetrics(registry: Registry): Metrics['streamChanged'] {
  const registers = [registry];
  const open = new Gauge({
    name: 'florin_event_streams_open',
    help: 'Open event streams, by kind of caller',
    labelNames: ['caller'],
    registers,
  });
  const refused = new Counter({
    name: 'florin_event_streams_refused_total',
    help: 'Event streams refused because too many are open, by the limit that was reached',
    labelNames: ['limit'],
    registers,
  });
  const ended = new Counter({
    name: 'florin_event_streams_ended_total',
    help: 'Event streams ended by the service before their last event, by reason',
    labelNames: ['reason'],
    registers,
  });
  return change => {
    if (change.kind === 'refused') refused.inc({ limit: change.limit });
    else if (change.kind === 'ended') ended.inc({ reason: change.reason });
    else open.inc({ caller: change.caller }, change.kind === 'opened' ? 1 : -1);
  };
}

/** Gauges of this machine, read at each scrape. */
function machineMetrics(registry: Registry, { clockLagMs, room, backupProvenAt }: MetricsOptions): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge(
    'florin_clock_step_seconds',
    'How far the system clock stepped ahead of the time elapsed',
    () => clockLagMs() / 1_000,
  );
  gauge(
    'florin_backup_proven_timestamp_seconds',
    'When the last backup was written and proven on this machine; 0 if none was',
    () => (backupProvenAt() ?? 0) / 1_000,
  );
  gauge('florin_data_free_bytes', 'Free room where the data folder is', () => room().freeBytes);
  gauge('florin_data_size_bytes', 'Size of the file system where the data folder is', () => room().sizeBytes);
}

/** After this time without a report a terminal counts as silent, as in the list of problems. */
const silentAfterMs = 5 * 60_000;
const keyWarningMs = 14 * 86_400_000;

/** Records without a final outcome, by metric name. */
const backlogQueries = {
  payments: pendingPayments,
  refunds: pendingRefunds,
  reversals: pendingReversals,
  withdrawals: pendingWithdrawals,
  webhook_deliveries: waitingDeliveries,
  emails: waitingEmails,
};

/** Gauges of work that waits in the database. */
function backlogs(registry: Registry, { database, clock, log }: MetricsOptions) {
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('florin_database_up', 'Whether the database responded to this scrape');
  const discrepancies = gauge('florin_discrepancies_open', 'Unresolved discrepancies');
  const disabled = gauge('florin_webhooks_disabled', 'Disabled webhook endpoints');
  const enrolled = gauge('florin_terminals_enrolled', 'Terminals in use');
  const silent = gauge('florin_terminals_silent', 'Terminals that have not reported for five minutes');
  const expiring = gauge('florin_api_keys_expiring', 'API keys that stop working within 14 days');
  const undelivered = gauge(
    'florin_events_oldest_undelivered_age_seconds',
    'Age of the oldest event a consumer has not handled',
    ['consumer'],
  );
  const pending = Object.entries(backlogQueries).map(([what, query]) => ({
    query,
    count: gauge(`florin_${what}_pending`, `Number of ${what} without a final outcome`),
    age: gauge(`florin_${what}_pending_oldest_age_seconds`, `Age of the oldest of the pending ${what}`),
  }));
  const ageSeconds = (at: Instant | null | undefined) => (at ? Math.max(0, clock.now() - at) / 1_000 : 0);

  async function read(): Promise<void> {
    for (const { query, count, age } of pending) {
      const backlog = await database.first(query, {});
      count.set(backlog?.count ?? 0);
      age.set(ageSeconds(backlog?.oldestAt));
    }
    discrepancies.set((await database.first(openDiscrepancies, {}))?.count ?? 0);
    disabled.set((await database.first(disabledWebhooks, {}))?.count ?? 0);
    const now = clock.now();
    const terminals = await database.first(terminalCounts, { since: now - silentAfterMs });
    enrolled.set(terminals?.enrolled ?? 0);
    silent.set(Number(terminals?.silent ?? 0));
    expiring.set((await database.first(expiringApiKeys, { now, before: now + keyWarningMs }))?.count ?? 0);
    for (const { consumer, oldestAt } of await database.all(undeliveredEvents, {}))
      undelivered.set({ consumer }, ageSeconds(oldestAt));
    const unplaced = database.dialect === 'postgres' ? await database.first(unplacedEvents, {}) : undefined;
    undelivered.set({ consumer: 'dispatcher' }, ageSeconds(unplaced?.oldestAt));
  }

  return async () => {
    try {
      await read();
      up.set(1);
    } catch (error) {
      log.warn({ err: error }, 'the database did not respond to a metrics scrape');
      up.set(0);
    }
  };
}

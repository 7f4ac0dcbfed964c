import type { Clock, ContextLog, Ids, Random, Timers } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Database, Transaction } from '../../foundation/database/database.ts';
import type { Events } from '../../foundation/events/announce.ts';
import type { Notifications } from '../../foundation/events/notifications.ts';
import { notifyOthers } from '../../foundation/events/store.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import type { Outbound } from '../../foundation/outbound/outbound.ts';
import type { Sealing } from '../../foundation/secrets/service.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import { webhookConsumer } from './consumer.ts';
import { deliveries } from './deliveries.ts';
import { webhookRoutes } from './routes.ts';
import { type WebhookService, webhookService } from './service.ts';
import type { WebhookSettings } from './settings.ts';
import { deleteAttempts, deleteDelivered, deleteUndelivered } from './store.ts';
import { type DeliveryWorker, deliveryWorker } from './worker.ts';

const channel = 'florin_webhooks';
const dayMs = 86_400_000;

export type WebhookPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: ContextLog;
  readonly leases: Leases;
  readonly events: Events;
  readonly notifications: Notifications;
  readonly changes: ChangeLog;
  readonly outbound: Outbound;
  readonly secrets: Sealing;
  /** Whether this process sends; API processes do not. */
  readonly isWorker: boolean;
  readonly pollMs: number;
  readonly retentionMs: number;
  readonly settings: WebhookSettings;
  /** The key for posts to a checkout's own URL. */
  readonly checkoutSigningKey: (tx: Transaction, businessId: string) => Promise<string>;
};

/** Webhook endpoints, their deliveries and the job that deletes old ones. Only worker processes send. */
export function webhooksModule(ports: WebhookPorts): Module<WebhookService> {
  const box = ports.secrets.box({
    purpose: 'webhook',
    table: 'webhooks',
    owner: 'id',
    columns: ['sealedSecret', 'previousSealedSecret'],
  });
  const { database, notifications, log, isWorker } = ports;
  /** Wakes this process's worker, or those of other processes. Processes on a SQLite file watch it. */
  function sendSoon(tx: Transaction, webhookId: string): void {
    if (isWorker) afterCommit(tx, () => worker.wake(webhookId));
    else if (database.dialect === 'postgres') tx.send(notifyOthers, { channel });
  }
  const deliver = deliveries({ ...ports, sendSoon, sender: () => (isWorker ? worker : undefined) });
  const worker: DeliveryWorker = deliveryWorker({ ...ports, box, deliveries: deliver });
  const service = webhookService({ ...ports, box, deliveries: deliver, sendSoon });
  const { warnAfter } = ports.settings;
  const poll = () =>
    worker.poll().catch((error: unknown) => log.error({ err: error }, 'could not poll for due webhooks'));
  if (isWorker) notifications.listen(channel, () => void poll());
  return {
    service,
    routes: webhookRoutes({ webhooks: service, clock: ports.clock, warnAfter }),
    jobs: [
      { name: 'webhooks', everyMs: ports.pollMs, run: worker.poll },
      pruningJob('webhook-pruning', ports, pruneBy(deleteDelivered)),
      // Rarely: it has no index.
      { ...pruningJob('undelivered-webhook-pruning', ports, pruneBy(deleteUndelivered)), everyMs: dayMs },
    ],
    consumers: [webhookConsumer({ ...ports, box, deliveries: deliver })],
    stop: worker.stop,
  };
}

/** Deletes deliveries, and their attempts with them. */
function pruneBy(deletion: typeof deleteDelivered): Parameters<typeof pruningJob>[2] {
  return async (tx, options) => {
    const deleted = await tx.all(deletion, options);
    const deliveryIdsJson = JSON.stringify(deleted.map(({ id }) => id));
    if (deleted.length > 0) await tx.run(deleteAttempts, { deliveryIdsJson });
    return deleted.length;
  };
}

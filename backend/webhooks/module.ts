import type { Clock, Ids, Log, Random, Timers } from '@florin/shared/ports.ts';
import type { ChangeLog } from '../businesses/change-log.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Events } from '../events/announce.ts';
import { secretBox } from '../gateway-accounts/secret-box.ts';
import { pruningJob } from '../jobs/pruning.ts';
import type { Module } from '../module.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { webhookConsumer } from './consumer.ts';
import { deliveries } from './deliveries.ts';
import { webhookRoutes } from './routes.ts';
import { type WebhookService, webhookService } from './service.ts';
import type { WebhookSettings } from './settings.ts';
import { deleteAttempts, deleteDelivered } from './store.ts';
import { type DeliveryWorker, deliveryWorker } from './worker.ts';

export type WebhookPorts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly random: Random;
  readonly log: Log;
  readonly events: Events;
  readonly changes: ChangeLog;
  readonly outbound: Outbound;
  /** Encrypts the signing secrets. */
  readonly secretsKey: () => Uint8Array;
  /** Whether this process sends; those of the API alone do not. */
  readonly isWorker: boolean;
  readonly pollMs: number;
  readonly retentionMs: number;
  readonly settings: WebhookSettings;
  /** Signs what is posted to the address of a single checkout. */
  readonly checkoutSigningKey: (tx: Transaction, businessId: string) => Promise<string>;
};

export function webhooksModule(ports: WebhookPorts): Module<WebhookService & Pick<DeliveryWorker, 'stop'>> {
  const box = secretBox({ ...ports, purpose: 'webhook' });
  const wake = (webhookId: string) => ports.isWorker && worker.wake(webhookId);
  const deliver = deliveries({ ...ports, wake });
  const worker: DeliveryWorker = deliveryWorker({ ...ports, box, deliveries: deliver });
  const service = webhookService({ ...ports, box, deliveries: deliver, wake });
  const { warnAfter } = ports.settings;
  return {
    service: { ...service, stop: worker.stop },
    routes: webhookRoutes({ webhooks: service, clock: ports.clock, warnAfter }),
    jobs: [
      { name: 'webhooks', everyMs: ports.pollMs, run: worker.poll },
      pruningJob('webhook-pruning', ports, async (tx, options) => {
        const deleted = await tx.all(deleteDelivered, options);
        const deliveryIdsJson = JSON.stringify(deleted.map(({ id }) => id));
        if (deleted.length > 0) await tx.run(deleteAttempts, { deliveryIdsJson });
        return deleted.length;
      }),
    ],
    consumers: [webhookConsumer({ ...ports, box, deliveries: deliver })],
  };
}

import { system } from '@florin/shared/actor.ts';
import { createNotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { expect, test } from 'vitest';
import { aBackend } from '../../../test/support/backend.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import { defaultLeaseMs, leasesOf } from '../../foundation/jobs/leases.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { systemIds } from '../../foundation/platform/system.ts';
import { emailOutbox } from './outbox.ts';

test('an e-mail that becomes due while others are being claimed is sent as well', async () => {
  const { backend, client, clock, aBusiness } = await aBackend();
  const { id: businessId, key } = await aBusiness();
  const body = { email: 'owner@shop.example' };
  await client.call(createNotificationRecipient, { body }, { key: await key('notifications:write') });
  const payload = { url: 'https://shop.example/hook', eventType: 'payment.completed', failedInARow: 5 };
  const facts = {
    id: 'evt_1',
    position: 1,
    businessId,
    paymentId: null,
    subjectId: 'wh_1',
    by: system,
    at: clock.now(),
  };
  const event: DomainEvent = { ...facts, type: 'webhook.failing', payload };
  let becomesDue: (() => Promise<void>) | undefined = async () => {
    await backend.database.write(async tx => outbox.consumer.handle(tx, event));
  };
  const database: Database = {
    ...backend.database,
    async write(work) {
      const claimed = await backend.database.write(work);
      const due = becomesDue;
      becomesDue = undefined;
      await due?.();
      return claimed;
    },
  };
  const recipients: string[] = [];
  const mailer = {
    async send({ recipient }: { readonly recipient: string }) {
      recipients.push(recipient);
      return { kind: 'sent' as const };
    },
    close: () => undefined,
  };
  const log = createLog({ level: 'silent' });
  const leases = leasesOf({ clock, timers: clock, log, leaseMs: defaultLeaseMs });
  const outbox = emailOutbox({
    database,
    clock,
    ids: systemIds,
    log,
    leases,
    mailer,
    isWorker: true,
    publicUrl: 'https://pay.example',
  });
  await outbox.sendDue();
  await outbox.stop();
  expect(recipients).toEqual(['owner@shop.example']);
});

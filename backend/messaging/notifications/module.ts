import type { Clock, ContextLog, Ids } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import type { Mailer } from './mailer.ts';
import { emailOutbox } from './outbox.ts';
import { notificationRoutes } from './routes.ts';
import { type NotificationService, notificationService } from './service.ts';
import { deleteFinishedEmails } from './store.ts';

/**
 * E-mail notifications: the recipients of each business, the outbox that turns events into e-mails, and the jobs that
 * send and delete them.
 */
export function notificationsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: ContextLog;
  readonly changes: ChangeLog;
  readonly mailer: Mailer | undefined;
  readonly isWorker: boolean;
  readonly pollMs: number;
  readonly retentionMs: number;
}): Module<NotificationService> {
  const service = notificationService(ports);
  const outbox = emailOutbox(ports);
  return {
    service,
    routes: notificationRoutes(service),
    jobs: [
      { name: 'emails', everyMs: ports.pollMs, run: outbox.sendDue },
      pruningJob('email-pruning', ports, (tx, options) => tx.run(deleteFinishedEmails, options)),
    ],
    consumers: [outbox.consumer],
    stop: outbox.stop,
  };
}

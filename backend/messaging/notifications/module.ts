import type { Clock, ContextLog, Ids } from '@florin/shared/ports.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import { pruningJob } from '../../foundation/jobs/pruning.ts';
import type { Module } from '../../foundation/module.ts';
import type { ChangeLog } from '../../people/businesses/change-log.ts';
import { dailyReports, type ReadOverview } from './daily-reports.ts';
import type { Mailer } from './mailer.ts';
import { type EmailOutbox, emailOutbox } from './outbox.ts';
import { notificationRoutes } from './routes.ts';
import { type NotificationService, notificationService } from './service.ts';
import { type ReadProblems, silenceWatch } from './silences.ts';
import { deleteFinishedEmails } from './store.ts';

const minuteMs = 60_000;

/**
 * E-mail notifications: the recipients of each business, the outbox that turns events into e-mails, and the jobs that
 * find what no event tells, and send and delete e-mails.
 */
export function notificationsModule(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: ContextLog;
  readonly leases: Leases;
  readonly changes: ChangeLog;
  readonly mailer: Mailer | undefined;
  readonly isWorker: boolean;
  readonly pollMs: number;
  readonly retentionMs: number;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly problems: ReadProblems;
  readonly overview: ReadOverview;
}): Module<NotificationService & Pick<EmailOutbox, 'sendLetter'>> {
  const outbox = emailOutbox(ports);
  const service = { ...notificationService(ports), sendLetter: outbox.sendLetter };
  return {
    service,
    routes: notificationRoutes(service),
    jobs: [
      { name: 'emails', everyMs: ports.pollMs, run: outbox.sendDue },
      { name: 'terminal-silences', everyMs: minuteMs, run: silenceWatch({ ...ports, outbox }) },
      { name: 'daily-reports', everyMs: minuteMs, run: dailyReports({ ...ports, outbox }) },
      pruningJob('email-pruning', ports, (tx, options) => tx.run(deleteFinishedEmails, options)),
    ],
    consumers: [outbox.consumer],
    stop: outbox.stop,
  };
}

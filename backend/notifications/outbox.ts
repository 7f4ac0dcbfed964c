import { type Clock, type Ids, idPrefixes, type Log } from '@florin/shared/ports.ts';
import { afterCommit } from '../database/after-commit.ts';
import type { Database } from '../database/database.ts';
import { type EventConsumer, ofTypes } from '../events/dispatcher.ts';
import type { Mailer, MailResult } from './mailer.ts';
import { messageOf } from './messages.ts';
import type { EmailRow } from './rows.ts';
import { claimEmails, endEmailAttempt, insertEmail, recipientsOfBusiness } from './store.ts';

export type EmailOutbox = {
  /** Makes e-mails of events, in the transaction that moves its place in their order. */
  readonly consumer: EventConsumer;
  /** Sends what is due; returns how many that were. */
  sendDue(): Promise<number>;
  /** Ends what is under way. */
  stop(): Promise<void>;
};

const minute = 60_000;
/** After each failed attempt; a mail server that is away for two days is waited for. */
const retryDelaysMs = [1, 5, 15, 60, 180, 360, 720, 1440].map(minutes => minutes * minute);
/** Longer than all timeouts of the mailer together. */
const leaseMs = 3 * minute;
const emailBatch = 10;

/**
 * E-mails as durable as the events they are about. One may be sent twice, where a process dies between the mail server's
 * reply and its own record of it: both have the same Message-ID.
 */
export function emailOutbox(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Undefined where the settings name no mail server: e-mails wait for one. */
  readonly mailer: Mailer | undefined;
  /** Whether this process sends; those of the API alone do not. */
  readonly isWorker: boolean;
}): EmailOutbox {
  const { database, clock, ids, log, mailer, isWorker } = options;
  let underWay: Promise<number> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function send(email: EmailRow, by: Mailer): Promise<void> {
    const { id, businessId, recipient, subject, text, attemptCount } = email;
    const result = await by.send({ id, recipient, subject, text });
    const now = clock.now();
    const delayMs = result.kind === 'not_sent' ? retryDelaysMs[attemptCount - 1] : undefined;
    const isOver = delayMs === undefined;
    const changed = await database.write(tx =>
      tx.run(endEmailAttempt, {
        id,
        attemptCount,
        status: result.kind === 'sent' ? 'sent' : isOver ? 'failed' : 'pending',
        nextAttemptAt: isOver ? null : now + delayMs,
        lastError: result.kind === 'sent' ? null : result.reason,
        finishedAt: isOver ? now : null,
      }),
    );
    logResult({ emailId: id, businessId, attemptCount }, result, changed === 1);
  }

  function logResult(facts: Readonly<Record<string, unknown>>, result: MailResult, isLeaseHeld: boolean): void {
    if (!isLeaseHeld) log.warn(facts, 'an e-mail was sent after its lease');
    else if (result.kind === 'sent') log.info(facts, 'an e-mail was sent');
    else log.warn({ ...facts, outcome: result.kind, error: result.reason }, 'an e-mail could not be sent');
  }

  async function run(by: Mailer): Promise<number> {
    let sent = 0;
    try {
      while (isWanted && !isStopped) {
        // Before the claim: what becomes due during it may be none of what it finds.
        isWanted = false;
        const now = clock.now();
        const due = await database.write(tx =>
          tx.all(claimEmails, { now, leaseUntil: now + leaseMs, limit: emailBatch }),
        );
        if (due.length === emailBatch) isWanted = true;
        await Promise.all(due.map(email => send(email, by)));
        sent += due.length;
      }
      return sent;
    } finally {
      underWay = undefined;
    }
  }

  function sendDue(): Promise<number> {
    if (mailer === undefined || isStopped) return Promise.resolve(0);
    isWanted = true;
    underWay ??= run(mailer);
    return underWay;
  }

  function wake(): void {
    if (isWorker)
      log
        .apart({ job: 'emails' }, sendDue)
        .catch((error: unknown) => log.error({ err: error }, 'e-mails were not sent; the next poll tries again'));
  }

  return {
    sendDue,
    async stop() {
      isStopped = true;
      await underWay?.catch(() => 0);
    },
    consumer: {
      name: 'notifications',
      ignores: ofTypes(
        'payment.started',
        'payment.approved',
        'payment.settled',
        'refund.requested',
        'refund.approved',
        'terminal_sale.changed',
        'terminal.command_given',
        'terminal.sale.completed',
      ),
      async handle(tx, event) {
        const message = messageOf(event);
        if (!message) return;
        const { businessId } = event;
        const now = clock.now();
        for (const { email: recipient } of await tx.all(recipientsOfBusiness, { businessId }))
          tx.send(insertEmail, {
            id: ids.next(idPrefixes.email),
            businessId,
            recipient,
            ...message,
            status: 'pending',
            attemptCount: 0,
            isUnderWay: 0,
            nextAttemptAt: now,
            lastError: null,
            createdAt: now,
            finishedAt: null,
          });
        afterCommit(tx, wake);
      },
    },
  };
}

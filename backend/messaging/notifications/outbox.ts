import { type Clock, type ContextLog, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import type { Database } from '../../foundation/database/database.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { Mailer, MailResult } from './mailer.ts';
import { messageOf } from './messages.ts';
import type { EmailRow } from './rows.ts';
import { claimEmails, endEmailAttempt, insertEmail, recipientsOfBusiness } from './store.ts';

export type EmailOutbox = {
  /** Creates e-mails for events, in the transaction that advances its position. */
  readonly consumer: EventConsumer;
  /** Sends due e-mails; returns how many there were. */
  sendDue(): Promise<number>;
  /** Stops sending. */
  stop(): Promise<void>;
};

const minute = 60_000;
/** Delays after failed attempts, enough for a mail server that is down for two days. */
const retryDelaysMs = [1, 5, 15, 60, 180, 360, 720, 1440].map(minutes => minutes * minute);
/** Longer than all of the mailer's timeouts together. */
const leaseMs = 3 * minute;
const emailBatch = 10;

/**
 * E-mails are as durable as their events. One may be sent twice if a process crashes between the mail server's reply
 * and its record: both have the same Message-ID.
 */
export function emailOutbox(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: ContextLog;
  /** Undefined without a configured mail server; e-mails then stay queued. */
  readonly mailer: Mailer | undefined;
  /** Whether this process sends e-mails; API processes do not. */
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
    if (!isLeaseHeld) log.warn(facts, 'an e-mail was sent after its lease expired');
    else if (result.kind === 'sent') log.info(facts, 'an e-mail was sent');
    else log.warn({ ...facts, outcome: result.kind, error: result.reason }, 'an e-mail could not be sent');
  }

  async function run(by: Mailer): Promise<number> {
    let sent = 0;
    try {
      while (isWanted && !isStopped) {
        // Before the claim, which may miss e-mails that become due during it.
        isWanted = false;
        const now = clock.now();
        const due = await database.write(tx =>
          tx.all(claimEmails, { now, nextAttemptAt: now + leaseMs, limit: emailBatch }),
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
        .catch((error: unknown) => log.error({ err: error }, 'could not send e-mails; retrying at the next poll'));
  }

  return {
    sendDue,
    async stop() {
      isStopped = true;
      await underWay?.catch(() => 0);
    },
    consumer: {
      name: 'notifications',
      ignores: allBut(
        'discrepancy.found',
        'bitcoin_claim.requested',
        'bitcoin_claim.disputed',
        'webhook.failing',
        'webhook.disabled',
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

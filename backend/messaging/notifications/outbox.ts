import type { NotificationKind } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { type Clock, type ContextLog, type Ids, idPrefixes } from '@florin/shared/ports.ts';
import { afterCommit } from '../../foundation/database/after-commit.ts';
import { type Database, rowsJson, type Transaction } from '../../foundation/database/database.ts';
import { allBut, type EventConsumer } from '../../foundation/events/dispatcher.ts';
import type { DomainEvent } from '../../foundation/events/event.ts';
import type { Leases } from '../../foundation/jobs/leases.ts';
import { chosenLanguage } from '../../foundation/language.ts';
import type { Letter, SendLetter } from '../../foundation/mail.ts';
import { paymentById } from '../../money/payments/store.ts';
import { refundById } from '../../money/refunds/store.ts';
import { businessById } from '../../people/businesses/store.ts';
import { userByEmail } from '../../people/portal-users/store.ts';
import { letterForms } from './letter.ts';
import type { Mailer, MailResult } from './mailer.ts';
import { type Involved, type Notification, notificationOf, notifiedEvents, type Place } from './messages.ts';
import type { EmailRow } from './rows.ts';
import { kindsOf } from './service.ts';
import {
  claimEmails,
  emailAttemptColumns,
  endEmailAttempt,
  insertEmail,
  recipientsOfBusiness,
  renewEmails,
} from './store.ts';
import { notificationWords } from './words/words.ts';

export type EmailOutbox = {
  /** An e-mail to one person. */
  readonly sendLetter: SendLetter;
  /** An e-mail to each recipient of the business who chose its kind, or to these. */
  notify(tx: Transaction, whom: Told, tell: (place: Place) => Notification | undefined): Promise<void>;
  /** Creates e-mails for events, in the transaction that advances its position. */
  readonly consumer: Extract<EventConsumer, { handle: unknown }>;
  /** Sends due e-mails; returns how many there were. */
  sendDue(): Promise<number>;
  /** Stops sending. */
  stop(): Promise<void>;
};

type Told = { readonly businessId: string; readonly recipients?: readonly string[] };

const minute = 60_000;
/** Delays after failed attempts, enough for a mail server that is down for two days. */
const retryDelaysMs = [1, 5, 15, 60, 180, 360, 720, 1440].map(minutes => minutes * minute);
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
  readonly leases: Leases;
  /** Undefined without a configured mail server; e-mails then stay queued. */
  readonly mailer: Mailer | undefined;
  /** Whether this process sends e-mails; API processes do not. */
  readonly isWorker: boolean;
  /** The public base URL, without a trailing slash. */
  readonly publicUrl: string;
}): EmailOutbox {
  const { database, clock, ids, log, mailer, isWorker } = options;
  const leases = options.leases.on<EmailRow>({
    what: 'e-mails',
    async renew(held, until) {
      const attempts = held.map(({ work: { id, attemptCount } }) => ({ id, attemptCount }));
      const attemptsJson = rowsJson(emailAttemptColumns, attempts);
      const renewed = await database.write(tx => tx.all(renewEmails, { attemptsJson, nextAttemptAt: until }));
      const kept = new Set(renewed.map(({ id }) => id));
      return held.filter(({ work }) => kept.has(work.id));
    },
  });
  let underWay: Promise<number> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function send(email: EmailRow, by: Mailer): Promise<void> {
    const { id, businessId, recipient, subject, text, html, attemptCount } = email;
    const result = await by.send({ id, recipient, subject, text, html });
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
        const due = await database.write(tx =>
          tx.all(claimEmails, { now: clock.now(), nextAttemptAt: leases.fromNow(), limit: emailBatch }),
        );
        if (due.length === emailBatch) isWanted = true;
        await Promise.all(due.map(email => leases.during(email, email.nextAttemptAt, () => send(email, by))));
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

  function queue(tx: Transaction, businessId: string, recipient: string, letter: Letter): void {
    const now = clock.now();
    tx.send(insertEmail, {
      id: ids.next(idPrefixes.email),
      businessId,
      recipient,
      ...letterForms(letter),
      status: 'pending',
      attemptCount: 0,
      isUnderWay: 0,
      nextAttemptAt: now,
      lastError: null,
      createdAt: now,
      finishedAt: null,
    });
  }

  async function thoseWhoChose(tx: Transaction, businessId: string, kind: NotificationKind): Promise<string[]> {
    const recipients = await tx.all(recipientsOfBusiness, { businessId });
    return recipients.filter(row => kindsOf(row).includes(kind)).map(({ email }) => email);
  }

  async function notify(
    tx: Transaction,
    { businessId, recipients }: Told,
    tell: (place: Place) => Notification | undefined,
  ): Promise<void> {
    const business = await tx.first(businessById, { id: businessId });
    if (!business) return;
    const { name, locale, timeZone } = business;
    const page = (path: string) => `${options.publicUrl}/portal/${businessId}${path}`;
    const told = (accepted: readonly string[]) => tell({ name, timeZone, page, ...chosenLanguage(accepted, locale) });
    const kind = told([])?.kind;
    if (kind === undefined) return;
    for (const recipient of recipients ?? (await thoseWhoChose(tx, businessId, kind))) {
      // Who signs in to the portal reads its language, whoever else that of the business.
      const user = await tx.first(userByEmail, { emailKey: recipient.toLowerCase() });
      const letter = told(user?.language ? [user.language] : [])?.letter;
      if (letter)
        queue(tx, businessId, recipient, { ...letter, reason: notificationWords[letter.language].reason(name) });
    }
    afterCommit(tx, wake);
  }

  async function involvedIn(tx: Transaction, event: DomainEvent): Promise<Involved> {
    if (event.type !== 'discrepancy.found') return {};
    const { businessId, payload } = event;
    const { paymentId, refundId } = payload;
    const payment = paymentId === null ? undefined : await tx.first(paymentById, { businessId, id: paymentId });
    return {
      payment,
      refund: refundId === null ? undefined : await tx.first(refundById, { businessId, id: refundId }),
    };
  }

  return {
    sendLetter(tx, { businessId, recipient, letter }) {
      queue(tx, businessId ?? '', recipient, letter);
      afterCommit(tx, wake);
    },
    notify,
    sendDue,
    async stop() {
      isStopped = true;
      await underWay?.catch(() => 0);
    },
    consumer: {
      name: 'notifications',
      ignores: allBut(...notifiedEvents),
      async handle(tx, event) {
        const involved = await involvedIn(tx, event);
        await notify(tx, event, place => notificationOf(event, place, involved));
      },
    },
  };
}

import { formatSats } from '@florin/shared/bitcoin.ts';
import type { ProblemRecord } from '@florin/shared/contracts/api-v1/problems.ts';
import type { Readiness } from '@florin/shared/contracts/terminal-sales.ts';
import { formatMoney, money } from '@florin/shared/money.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import type { TerminalRow } from '../../channels/terminals/rows.ts';
import type { Database } from '../../foundation/database/database.ts';
import { evidenceAcceptedAt, type PollingSettings } from '../../foundation/jobs/polling.ts';
import { needOf } from '../../money/discrepancies/discrepancy.ts';
import { dateAt, startOfDate } from '../../money/settlements/settlement.ts';
import type { Business, BusinessService } from '../../people/businesses/service.ts';

import {
  delayedEmails,
  expiringKeys,
  failedEmails,
  lockedStaff,
  openDiscrepancies,
  openReaderDiscrepancies,
  terminalsSeenSince,
  troubledWebhooks,
  unknownPayments,
  unknownRefunds,
  unknownWithdrawals,
} from './store.ts';
import type { ProblemWords } from './words/problem-words.ts';
import { wordsFor } from './words/words.ts';

const dayMs = 86_400_000;
const keyWarningMs = 7 * dayMs;
const failedEmailsForMs = 7 * dayMs;
/** A mail server that is restarted is back by then. */
const attemptsBeforeWarning = 3;
/** A terminal reports every fifteen seconds; a restart or a change of network takes less than this. */
const silentForMs = 5 * 60_000;

export type ProblemOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly businesses: Pick<BusinessService, 'find'>;
  readonly polling: PollingSettings;
  readonly withReadiness: (
    terminals: readonly TerminalRow[],
  ) => Promise<(readonly [TerminalRow, Readiness, ...unknown[]])[]>;
  readonly webhooks: { readonly warnAfter: number; readonly disableAfter: number };
};

/** One kind of record: who may see its problems, and how they are found. */
type Source = {
  /** Any of these. */
  readonly permissions: readonly Permission[];
  find(asked: Asked): Promise<readonly ProblemRecord[]>;
};

/** Whose problems, when, and how they are told. */
type Asked = {
  readonly business: Business;
  readonly now: Instant;
  readonly words: ProblemWords;
  readonly locale: string;
};

/**
 * What needs a person now, read from the records on each request: nothing is stored that could outlive its cause. Only
 * what the permissions allow to see is looked for.
 */
export function businessProblems(options: ProblemOptions) {
  const sources: readonly Source[] = [...moneySources(options), ...deviceSources(options), ...peopleSources(options)];
  return async (businessId: string, held: ReadonlySet<Permission>, languages: readonly string[]) => {
    const now = options.clock.now();
    const business = await options.businesses.find(businessId);
    if (!business) throw new Error(`business ${businessId} is missing`);
    const visible = sources.filter(({ permissions }) => permissions.some(permission => held.has(permission)));
    const asked = { business, now, ...wordsFor(languages, business.locale) };
    const found = await Promise.all(visible.map(source => source.find(asked)));
    return { items: found.flat().toSorted(mostUrgentFirst), checkedAt: iso(now) };
  };
}

/** Then the oldest: it has waited longest. */
function mostUrgentFirst(one: ProblemRecord, other: ProblemRecord): number {
  if (one.severity !== other.severity) return one.severity === 'act' ? -1 : 1;
  return (one.since ?? '9').localeCompare(other.since ?? '9') || one.id.localeCompare(other.id);
}

function moneySources({ database, polling }: ProblemOptions): Source[] {
  type Amount = { readonly amountMinor: number; readonly currency: string };
  const written = ({ amountMinor, currency }: Amount, locale: string) =>
    formatMoney(money(amountMinor, currency), locale);
  return [
    {
      permissions: ['sales:read', 'take-payments:read'],
      async find({ business, now, words, locale }) {
        const rows = await database.all(unknownPayments, { businessId: business.id });
        return rows.map(row => {
          const isForPerson = evidenceAcceptedAt(row, now, polling) === undefined;
          return problem('payment_outcome_unknown', row.id, {
            ...words.payment_outcome_unknown(written(row, locale), isForPerson),
            subject: { kind: 'payment', name: row.invoiceNumber, paymentId: row.id },
            since: row.sentAt ?? row.createdAt,
            action: isForPerson ? { kind: 'resolve_payment', permission: 'refunds:write' } : null,
          });
        });
      },
    },
    {
      permissions: ['sales:read', 'take-payments:read'],
      async find({ business, now, words, locale }) {
        const rows = await database.all(unknownRefunds, { businessId: business.id });
        return rows.map(row => {
          const isForPerson = evidenceAcceptedAt(row, now, polling) === undefined;
          return problem('refund_outcome_unknown', row.id, {
            ...words.refund_outcome_unknown(written(row, locale), isForPerson),
            subject: { kind: 'refund', name: row.invoiceNumber, paymentId: row.paymentId },
            since: row.sentAt ?? row.createdAt,
            action: isForPerson ? { kind: 'resolve_refund', permission: 'refunds:write' } : null,
          });
        });
      },
    },
    {
      permissions: ['withdraw:write'],
      async find({ business, words, locale }) {
        const rows = await database.all(unknownWithdrawals, { businessId: business.id });
        return rows.map(({ id, amountSats, polledForMs, sentAt, createdAt }) => {
          const isForPerson = polledForMs >= polling.evidenceAfterMs;
          return problem('withdrawal_outcome_unknown', id, {
            ...words.withdrawal_outcome_unknown(formatSats(amountSats, locale), isForPerson),
            subject: { kind: 'withdrawal', name: formatSats(amountSats, locale) },
            since: sentAt ?? createdAt,
            action: isForPerson ? { kind: 'resolve_withdrawal', permission: 'withdraw:write' } : null,
          });
        });
      },
    },
    {
      permissions: ['sales:read'],
      async find({ business, words }) {
        const ofPayments = await database.all(openDiscrepancies, { businessId: business.id });
        const ofReaders = await database.all(openReaderDiscrepancies, { businessId: business.id });
        const found = [
          ...ofPayments.map(row => ({ ...row, name: row.invoiceNumber })),
          ...ofReaders.map(row => ({ ...row, name: row.readerSerial, paymentId: null })),
        ];
        return found.map(({ id, kind, createdAt, name, paymentId }) =>
          problem('discrepancy_open', id, {
            ...words.discrepancy_open(name, kind),
            subject: { kind: 'discrepancy', name, paymentId },
            since: createdAt,
            action: {
              kind: needOf(kind) === 'decision' ? 'resolve_discrepancy' : 'acknowledge_discrepancy',
              permission: 'refunds:write',
            },
          }),
        );
      },
    },
  ];
}

function deviceSources({ database, webhooks, withReadiness }: ProblemOptions): Source[] {
  return [
    {
      permissions: ['webhooks:read'],
      async find({ business, words }) {
        const rows = await database.all(troubledWebhooks, { businessId: business.id, warnAfter: webhooks.warnAfter });
        return rows.map(row => {
          const { id, url, eventType, failingSince, disabledAt } = row;
          const subject = { kind: 'webhook', name: eventType } as const;
          return disabledAt === null
            ? problem('webhook_failing', id, {
                ...words.webhook_failing(row, webhooks.disableAfter),
                subject,
                since: failingSince,
                action: { kind: 'check_webhook', permission: 'webhooks:read' },
              })
            : problem('webhook_disabled', id, {
                ...words.webhook_disabled(url),
                subject,
                since: disabledAt,
                action: { kind: 'enable_webhook', permission: 'webhooks:write' },
              });
        });
      },
    },
    {
      permissions: ['devices:read'],
      async find({ business: { id: businessId, timeZone }, now, words }) {
        const since = startOfDate(dateAt(now, timeZone), timeZone);
        const terminals = await withReadiness(await database.all(terminalsSeenSince, { businessId, since }));
        return terminals.flatMap(([terminal, readiness]) => terminalProblem(terminal, readiness, { now, words }) ?? []);
      },
    },
  ];
}

function terminalProblem(
  { id, name }: TerminalRow,
  readiness: Readiness,
  { now, words }: Pick<Asked, 'now' | 'words'>,
): ProblemRecord | undefined {
  const { online, lastSeenAt, whyNot, reader } = readiness;
  const subject = { kind: 'device', name } as const;
  const action = { kind: 'check_terminal', permission: 'devices:read' } as const;
  if (!online) {
    const seenAt = lastSeenAt === null ? now : Date.parse(lastSeenAt);
    if (now - seenAt < silentForMs) return undefined;
    return problem('terminal_silent', id, { ...words.terminal_silent(name), subject, since: seenAt, action });
  }
  if (whyNot !== 'reader_not_connected' && whyNot !== 'reader_needs_attention') return undefined;
  const told = words.terminal_not_ready(name, whyNot, reader?.attention ?? null);
  return problem('terminal_not_ready', id, { ...told, subject, since: null, action });
}

function peopleSources({ database }: ProblemOptions): Source[] {
  return [
    {
      permissions: ['team:read'],
      async find({ business, now, words }) {
        const rows = await database.all(lockedStaff, { businessId: business.id, now });
        return rows.map(({ id, name, staffNumber }) =>
          problem('staff_locked', id, {
            ...words.staff_locked(name, staffNumber),
            subject: { kind: 'staff', name },
            since: null,
            action: { kind: 'unlock_staff', permission: 'team:write' },
          }),
        );
      },
    },
    {
      permissions: ['api-keys:read'],
      async find({ business, now, words }) {
        const rows = await database.all(expiringKeys, { businessId: business.id, now, until: now + keyWarningMs });
        return rows.map(({ id, name, lastUsedAt, expiresAt }) =>
          problem('api_key_expiring', id, {
            ...words.api_key_expiring(name, lastUsedAt !== null),
            subject: { kind: 'api_key', name },
            since: expiresAt - keyWarningMs,
            action: lastUsedAt === null ? null : { kind: 'create_api_key', permission: 'api-keys:write' },
          }),
        );
      },
    },
    {
      permissions: ['notifications:write'],
      async find({ business: { id: businessId }, now, words }) {
        const [failed, delayed] = await Promise.all([
          database.all(failedEmails, { businessId, since: now - failedEmailsForMs }),
          database.all(delayedEmails, { businessId, attempts: attemptsBeforeWarning }),
        ]);
        const givenUp = new Set(failed.map(({ recipient }) => recipient));
        return [...failed, ...delayed.filter(({ recipient }) => !givenUp.has(recipient))].map(email => {
          const { recipient, count, since } = email;
          return problem('email_not_sent', recipient, {
            ...words.email_not_sent(recipient, count, givenUp.has(recipient)),
            subject: { kind: 'recipient', name: recipient },
            since,
            action: { kind: 'check_recipients', permission: 'notifications:write' },
          });
        });
      },
    },
  ];
}

/** Problems that may end by themselves, even if a person can do something about them. */
const mayEndByItself: ReadonlySet<ProblemRecord['kind']> = new Set([
  'webhook_failing',
  'terminal_silent',
  'staff_locked',
]);

function problem(
  kind: ProblemRecord['kind'],
  subjectId: string,
  facts: Pick<ProblemRecord, 'title' | 'message' | 'action'> & {
    readonly subject: Omit<ProblemRecord['subject'], 'id' | 'paymentId'> & { readonly paymentId?: string | null };
    readonly since: Instant | null;
  },
): ProblemRecord {
  const { subject, since, ...rest } = facts;
  return {
    id: `${kind}:${subjectId}`,
    kind,
    severity: rest.action === null || mayEndByItself.has(kind) ? 'watch' : 'act',
    ...rest,
    // Recipients of single e-mails are known by their address alone.
    subject: { paymentId: null, ...subject, id: subject.kind === 'recipient' ? null : subjectId },
    since: since === null ? null : iso(since),
  };
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString();
}

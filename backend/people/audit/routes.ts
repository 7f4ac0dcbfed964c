import {
  type AuditEntryRecord,
  type AuditVerificationRecord,
  listAuditEntries,
  verifyAudit,
} from '@florin/shared/contracts/api-v1/audit.ts';
import {
  listRefundLog,
  listVoidLog,
  type StaffLogEntry,
  staffLogDetail,
  staffLogEntry,
} from '@florin/shared/contracts/api-v1/staff-logs.ts';
import type { Cursor } from '@florin/shared/contracts/lists.ts';
import type { Language } from '@florin/shared/languages.ts';
import { z } from 'zod';
import { instantOf, pageOf } from '../../foundation/http/pages.ts';
import { type Route, respond, route } from '../../foundation/http/route.ts';
import type { Chosen } from '../../foundation/language.ts';
import type { AuditEntryRow } from './rows.ts';
import { sentenceOf } from './sentences.ts';
import type { AuditService } from './service.ts';
import type { AuditView } from './store.ts';

type Query = {
  readonly limit: number;
  readonly cursor: Cursor;
  readonly staffId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** Refund log and void log: every check of a staff password. Specification: Refund and void log. */
export function staffLogRoutes(audit: Pick<AuditService, 'list'>): Route[] {
  async function page(businessId: string, kind: 'refund_check' | 'void_check', query: Query) {
    const entries = await audit.list({
      businessId,
      kind,
      filter: {
        staffId: query.staffId ?? null,
        terminalId: query.deviceId ?? null,
        status: query.status ?? null,
        from: instantOf(query.from),
        to: instantOf(query.to),
      },
      before: query.cursor.after === null ? null : Number(query.cursor.after),
      limit: query.limit + 1,
    });
    const { items, nextCursor } = pageOf(entries, query, ({ sequence }) => String(sequence));
    return respond(200, { items: items.map(logEntryOf), nextCursor });
  }
  return [
    route(listRefundLog, ({ caller, query }) => page(caller.businessId, 'refund_check', query)),
    route(listVoidLog, ({ caller, query }) => page(caller.businessId, 'void_check', query)),
  ];
}

/** The whole log of a business, and whether it was changed outside the service. */
export function auditRoutes(
  audit: Pick<AuditService, 'search' | 'languageFor'>,
  verify: (businessId: string, language: Language) => Promise<AuditVerificationRecord>,
): Route[] {
  return [
    route(listAuditEntries, async ({ caller, query, languages }) => {
      const entries = await audit.search({
        businessId: caller.businessId,
        actorId: query.actorId ?? null,
        subjectId: query.subjectId ?? null,
        kind: query.kind ?? null,
        from: instantOf(query.from),
        to: instantOf(query.to),
        before: query.cursor.after === null ? null : Number(query.cursor.after),
        limit: query.limit + 1,
      });
      const { items, nextCursor } = pageOf(entries, query, ({ sequence }) => String(sequence));
      const chosen = await audit.languageFor(caller.businessId, languages());
      return respond(200, { items: items.map(entry => auditRecordOf(entry, chosen)), nextCursor });
    }),
    route(verifyAudit, async ({ caller: { businessId }, languages }) => {
      const { language } = await audit.languageFor(businessId, languages());
      return respond(200, await verify(businessId, language));
    }),
  ];
}

function auditRecordOf(entry: AuditView, chosen: Chosen): AuditEntryRecord {
  const { id, sequence, kind, actorKind, actorId, actorName, status, reason, previousHash, hash } = entry;
  return {
    id,
    sequence,
    kind,
    actor: { kind: actorKind, id: actorId, name: actorName },
    sentence: sentenceOf(entry, chosen),
    status,
    reason,
    details: JSON.parse(entry.detailJson) as Record<string, unknown>,
    attemptedAt: iso(entry.attemptedAt),
    recordedAt: iso(entry.recordedAt),
    previousHash,
    hash,
  };
}

/** The detail of a staff check's entry: names and sale at that time. */
const staffAtThatTime = z.object({ id: z.string(), name: z.string(), staffNumber: z.string() });
const checkDetail = z.object({
  staff: staffAtThatTime,
  requestedBy: staffAtThatTime.nullable().default(null),
  terminalName: z.string().nullish(),
  detail: staffLogDetail.nullish(),
  offline: z.boolean().default(false),
  sale: z.object({
    invoiceNumber: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    takenAt: z.int().nullable(),
  }),
});

function logEntryOf(entry: AuditEntryRow): StaffLogEntry {
  const detailOf = checkDetail.parse(JSON.parse(entry.detailJson));
  const { staff, requestedBy, sale, terminalName, detail = null, offline } = detailOf;
  const { id, amountMinor: amountInCents, attemptedAt, recordedAt, previousHash, hash } = entry;
  return {
    id,
    status: staffLogEntry.shape.status.parse(entry.status),
    reason: staffLogEntry.shape.reason.parse(entry.reason),
    detail,
    offline,
    staff,
    requestedBy,
    terminal: { id: entry.terminalId ?? '', name: terminalName ?? null },
    sale: {
      invoiceNumber: sale.invoiceNumber,
      amountInCents: sale.amountMinor,
      currency: sale.currency,
      takenAt: sale.takenAt === null ? null : iso(sale.takenAt),
    },
    amountInCents,
    attemptedAt: iso(attemptedAt),
    recordedAt: iso(recordedAt),
    previousHash,
    hash,
  };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

import type { Actor } from '@florin/shared/actor.ts';
import type { Clock, Instant } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { Database } from '../../foundation/database/database.ts';
import { type Chosen, chosenLanguage } from '../../foundation/language.ts';
import { businessById } from '../businesses/store.ts';
import { type AuditFault, type ChainCheck, chainVerifier, genesisHash, textOfFault } from './chain.ts';
import type { AuditLog } from './log.ts';
import type { AuditChainRow, AuditEntryRow, AuditKind } from './rows.ts';
import type { HeadSeal, SealState } from './seal.ts';
import {
  type AuditFilter,
  type AuditSearch,
  type AuditView,
  chainHead,
  entriesInOrder,
  entriesOfKind,
  entryWithoutRefund,
  firstRecordedSince,
  refundWithoutEntry,
  searches,
} from './store.ts';
import type { FaultKind } from './words/audit-words.ts';

/** The result of verifying a whole log, in the database or in a file. */
export type AuditCheck =
  | Extract<ChainCheck, { kind: 'intact' }>
  | {
      readonly kind: 'broken';
      readonly sequence: number | null;
      readonly id: string | null;
      readonly why: string;
      /** None where a file is no exported log. */
      readonly fault?: AuditFault;
    };

/** A head noted earlier outside the database; a log that was truncated or rolled back since does not contain it. */
export type NotedHead = { readonly sequence: number; readonly hash: string };

export type AuditService = {
  /** One page of entries of a kind, newest first; `before` is the sequence of the last one seen. */
  list(options: {
    businessId: string;
    kind: AuditKind;
    filter: AuditFilter;
    before: number | null;
    limit: number;
  }): Promise<AuditEntryRow[]>;
  /** One page of what matches, newest first. Times stand for the first entry recorded at or after them. */
  search(
    options: Omit<AuditSearch, 'least' | 'before'> & {
      readonly from: Instant | null;
      readonly to: Instant | null;
      readonly before: number | null;
    },
  ): Promise<AuditView[]>;
  /** The language of sentences for somebody who reads these, in the region of the business; English if they say nothing. */
  languageFor(businessId: string, accepted: readonly string[]): Promise<Chosen>;
  /** Entries in chain order, after `after`. */
  chain(options: { businessId: string; after: number; limit: number }): Promise<AuditEntryRow[]>;
  head(businessId: string): Promise<AuditChainRow | undefined>;
  /**
   * Verifies a business's whole chain: its entries, its sealed head, a noted head, and that refunds by staff and
   * authorising entries match one to one. Reports the first problem.
   */
  verify(businessId: string, noted?: NotedHead): Promise<AuditCheck>;
  /**
   * Reseals the head of an intact chain, after the key was lost or a broken seal was investigated, and appends an entry that
   * says so. Returns the check's result if the chain is not intact.
   */
  reseal(businessId: string, by: Actor, reason: string): Promise<AuditCheck>;
  /**
   * The whole log as JSON lines: a header, the entries and the result of the check. Verifiable without the database.
   */
  export(businessId: string): AsyncGenerator<string>;
};

const pageSize = 500;
/** Above the sequence of every entry. */
const afterAll = Number.MAX_SAFE_INTEGER;

/** Reads, verifies, exports and reseals audit logs. Only `reseal` writes. */
export function auditService(options: {
  database: Database;
  auditLog: AuditLog;
  seal: HeadSeal;
  clock: Clock;
}): AuditService {
  const { database, clock, seal } = options;

  async function* entriesOf(businessId: string): AsyncGenerator<AuditEntryRow> {
    for (let after = 0; ; ) {
      const page = await database.all(entriesInOrder, { businessId, after, limit: pageSize });
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.sequence;
    }
  }

  /** Verifies the entries against each other; `contains` reports which of `heads` are among them. */
  async function verifyEntries(businessId: string, heads: readonly NotedHead[]) {
    const verifier = chainVerifier();
    const seen = new Set(heads.filter(({ sequence, hash }) => sequence === 0 && hash === genesisHash));
    for await (const entry of entriesOf(businessId)) {
      verifier.add(entry);
      for (const head of heads) if (entry.sequence === head.sequence && entry.hash === head.hash) seen.add(head);
    }
    return { check: verifier.check(), contains: (head: NotedHead) => seen.has(head) };
  }

  async function verify(
    businessId: string,
    options: { readonly noted?: NotedHead | undefined; readonly isSealChecked: boolean },
  ): Promise<AuditCheck> {
    // Read first: entries appended meanwhile only make the chain longer than this head.
    const head = await database.first(chainHead, { businessId });
    if (!head) return brokenBy('head_missing');
    const { noted } = options;
    const { check, contains } = await verifyEntries(businessId, noted ? [head, noted] : [head]);
    if (check.kind === 'broken') return check;
    const state = seal.check(head);
    if (options.isSealChecked && state !== 'valid') return brokenBy(sealFaults[state]);
    if (!contains(head)) return brokenBy('head_not_reached', { sequence: head.sequence });
    if (noted && !contains(noted)) return brokenBy('noted_head_missing', { sequence: noted.sequence });
    const refund = await database.first(refundWithoutEntry, { businessId });
    if (refund) return brokenBy('refund_not_authorised', { subject: refund.id });
    const entry = await database.first(entryWithoutRefund, { businessId });
    if (entry) return { ...brokenBy('refund_not_recorded', { sequence: entry.sequence }), id: entry.id };
    return check;
  }

  return {
    list: ({ filter, ...options }) => database.all(entriesOfKind, { ...options, ...filter }),
    async search({ from, to, before, ...filters }) {
      const { businessId } = filters;
      const first = async (since: Instant | null) =>
        since === null ? undefined : database.first(firstRecordedSince, { businessId, since });
      const [start, end] = await Promise.all([first(from), first(to)]);
      // Nothing was recorded since: there is nothing from then on, and everything is before it.
      if (from !== null && !start) return [];
      const least = start?.sequence ?? 0;
      const bounds = [before ?? afterAll, end?.sequence ?? afterAll];
      return database.all(searches[leadingOf(filters)], { ...filters, least, before: Math.min(...bounds) });
    },
    async languageFor(businessId, accepted) {
      const business = await database.first(businessById, { id: businessId });
      return chosenLanguage([...accepted, 'en'], business?.locale ?? 'en-GB');
    },
    chain: options => database.all(entriesInOrder, options),
    head: businessId => database.first(chainHead, { businessId }),
    verify: (businessId, noted) => verify(businessId, { noted, isSealChecked: true }),

    async reseal(businessId, by, reason) {
      const check = await verify(businessId, { isSealChecked: false });
      if (check.kind === 'broken') return check;
      const detail = { change: 'audit_log_resealed', head: check.head, reason };
      const entry = await database.write(tx =>
        options.auditLog.appendAndSeal(tx, { businessId, kind: 'setting_changed', by, detail }),
      );
      return { kind: 'intact', entries: entry.sequence, head: entry.hash };
    },

    async *export(businessId) {
      yield JSON.stringify({ format: fileFormat, businessId, exportedAt: new Date(clock.now()).toISOString() });
      let entries = 0;
      let head = genesisHash;
      for await (const entry of entriesOf(businessId)) {
        yield JSON.stringify(entry);
        entries = entry.sequence;
        head = entry.hash;
      }
      yield JSON.stringify({ entries, head });
    },
  };
}

/** What one record or one actor is in is less than what a kind has. */
function leadingOf({ subjectId, actorId, kind }: Pick<AuditSearch, 'subjectId' | 'actorId' | 'kind'>) {
  if (subjectId !== null) return 'subject';
  if (actorId !== null) return 'actor';
  return kind === null ? 'none' : 'kind';
}

const sealFaults: Record<Exclude<SealState, 'valid'>, FaultKind> = {
  invalid: 'head_changed',
  broken: 'log_changed',
  other_key: 'other_key',
};

function brokenBy(kind: FaultKind, at: { readonly sequence?: number; readonly subject?: string } = {}) {
  const { sequence = null, subject = '' } = at;
  const fault = { kind, subject };
  return { ...broken(textOfFault(fault), sequence), fault };
}

function broken(why: string, sequence: number | null = null): Extract<AuditCheck, { kind: 'broken' }> {
  return { kind: 'broken', sequence, id: null, why };
}

const fileFormat = 'florin-audit-1';
const header = z.object({ format: z.literal(fileFormat), businessId: z.string() });
const footer = z.strictObject({ entries: z.int(), head: z.string() });
const text = z.string().nullable();
const auditEntry = z.strictObject({
  id: z.string(),
  businessId: z.string(),
  sequence: z.int(),
  kind: z.string(),
  status: text,
  reason: text,
  actorKind: z.string(),
  actorId: text,
  staffId: text,
  terminalId: text,
  paymentId: text,
  refundId: text,
  amountMinor: z.int().nullable(),
  detailJson: z.string(),
  attemptedAt: z.int(),
  recordedAt: z.int(),
  previousHash: z.string(),
  hash: z.string(),
});

/**
 * Verifies an exported log without the database. It proves that no entry was changed, removed or inserted; truncation
 * at the end is detected only against a head noted elsewhere.
 */
export async function verifyAuditLines(
  lines: AsyncIterable<string> | Iterable<string>,
  noted?: NotedHead,
): Promise<AuditCheck> {
  const verifier = chainVerifier();
  let businessId: string | undefined;
  let end: z.infer<typeof footer> | undefined;
  let number = 0;
  let isNotedSeen = noted === undefined;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    if (end) return broken(`line ${number} comes after the end of the log`);
    const parsed = parseLine(line);
    if (businessId === undefined) {
      const first = header.safeParse(parsed);
      if (!first.success) return broken('this is no exported audit log');
      businessId = first.data.businessId;
      continue;
    }
    const last = footer.safeParse(parsed);
    if (last.success) {
      end = last.data;
      continue;
    }
    const entry = auditEntry.safeParse(parsed);
    if (!entry.success) return broken(`line ${number} is no entry`);
    if (entry.data.businessId !== businessId)
      return broken(`line ${number} is of another business`, entry.data.sequence);
    verifier.add(entry.data as AuditEntryRow);
    if (entry.data.sequence === noted?.sequence && entry.data.hash === noted.hash) isNotedSeen = true;
  }
  const check = verifier.check();
  if (check.kind === 'broken') return check;
  if (!end) return broken('the end of the log is missing');
  if (end.entries !== check.entries || end.head !== check.head) return broken('the last entries are missing');
  if (!isNotedSeen) return broken('the log does not contain the head noted earlier', noted?.sequence);
  return check;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

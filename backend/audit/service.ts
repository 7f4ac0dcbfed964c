import type { Clock } from '@florin/shared/ports.ts';
import { z } from 'zod';
import type { AuditEntryRow } from '../database/schema.ts';
import { type ChainVerdict, chainVerifier, genesisHash } from './chain.ts';
import type { AuditStore } from './store.ts';

/** What checking a whole log, in the database or in a file, comes to. */
export type AuditVerdict =
  | Extract<ChainVerdict, { kind: 'intact' }>
  | { readonly kind: 'broken'; readonly sequence: number | null; readonly id: string | null; readonly why: string };

export type AuditService = {
  /** Checks a business's whole chain against its entries and its head; names the first entry that is wrong. */
  verify(businessId: string): Promise<AuditVerdict>;
  /** The whole log as JSON lines: a header, an entry each, and what the chain came to. Verifies without the database. */
  export(businessId: string): AsyncGenerator<string>;
};

const pageSize = 500;

export function auditService(options: { store: AuditStore; clock: Clock }): AuditService {
  const { store, clock } = options;

  async function* entriesOf(businessId: string): AsyncGenerator<AuditEntryRow> {
    for (let after = 0; ; ) {
      const page = await store.chain({ businessId, after, limit: pageSize });
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      after = last.sequence;
    }
  }

  return {
    async verify(businessId) {
      // Read first: entries written meanwhile only make the chain longer than its head was.
      const head = await store.head(businessId);
      const verifier = chainVerifier();
      let headSeen = !head || head.sequence === 0;
      for await (const entry of entriesOf(businessId)) {
        verifier.add(entry);
        if (entry.sequence === head?.sequence && entry.hash === head.hash) headSeen = true;
      }
      const verdict = verifier.verdict();
      if (verdict.kind === 'broken' || headSeen) return verdict;
      const why = 'the last entries are missing: the chain does not reach its head';
      return { kind: 'broken', sequence: head?.sequence ?? null, id: null, why };
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
  amountMinor: z.int().nullable(),
  detailJson: z.string(),
  attemptedAt: z.int(),
  recordedAt: z.int(),
  previousHash: z.string(),
  hash: z.string(),
});

/**
 * Checks an exported log on its own. It proves that nothing in it was changed, left out or put in; that nothing was cut off
 * at its end, only to who compares the head with one noted elsewhere.
 */
export async function verifyAuditLines(lines: AsyncIterable<string> | Iterable<string>): Promise<AuditVerdict> {
  const broken = (why: string, sequence: number | null = null): AuditVerdict => ({
    kind: 'broken',
    sequence,
    id: null,
    why,
  });
  const verifier = chainVerifier();
  let businessId: string | undefined;
  let end: z.infer<typeof footer> | undefined;
  let number = 0;
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
  }
  const verdict = verifier.verdict();
  if (verdict.kind === 'broken') return verdict;
  if (!end) return broken('the end of the log is missing');
  if (end.entries !== verdict.entries || end.head !== verdict.head) return broken('the last entries are missing');
  return verdict;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

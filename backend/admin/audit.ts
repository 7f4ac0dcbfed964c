import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type ChainVerdict, chainVerifier } from '../audit/chain.ts';
import type { Backend } from '../compose.ts';
import type { AuditEntryRow } from '../database/schema.ts';
import { businessFlag, command, done, failed, noBusiness, type Outcome, theBusiness } from './command.ts';

const pageSize = 500;

export const auditExport = command({
  summary: 'Write a business’s audit chain to a file, one entry per line',
  flags: { business: businessFlag, file: { about: 'Where to write it' } },
  input: z.object({ business: z.string().optional(), file: z.string({ error: 'is required' }).min(1) }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const lines: string[] = [];
    for await (const entry of chainOf(backend, businessId)) lines.push(`${JSON.stringify(entry)}\n`);
    await writeFile(input.file, lines, { flag: 'wx' });
    return done({ business: businessId, entries: lines.length, file: input.file }, [
      `${lines.length} entries written to ${input.file}`,
    ]);
  },
});

export const auditVerify = command({
  summary: 'Verify the hash chain of a business, or of an exported file',
  flags: { business: businessFlag, file: { about: 'A file written by audit export: needs no database' } },
  input: z.object({ business: z.string().optional(), file: z.string().optional() }),
  async run(input, backend) {
    if (input.file !== undefined) return reportOf(input.file, await verdictOn(entriesOf(input.file)));
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const verdict = await verdictOn(chainOf(backend, businessId));
    const head = await backend.engine.auditEntries.head(businessId);
    // Entries cut off at the end leave a chain that is whole: the head kept beside it tells.
    if (verdict.kind === 'intact' && (head?.sequence ?? 0) !== verdict.entries) {
      return failed(`Entries are missing after ${verdict.entries}: the chain ends at ${head?.sequence ?? 0}`, {
        business: businessId,
      });
    }
    return reportOf(businessId, verdict);
  },
});

async function* chainOf(backend: Backend, businessId: string): AsyncGenerator<AuditEntryRow> {
  let after = 0;
  for (;;) {
    const entries = await backend.engine.auditEntries.chain({ businessId, after, limit: pageSize });
    yield* entries;
    const last = entries.at(-1);
    if (!last || entries.length < pageSize) return;
    after = last.sequence;
  }
}

const auditEntry = z.looseObject({ id: z.string(), sequence: z.int(), previousHash: z.string(), hash: z.string() });

async function* entriesOf(file: string): AsyncGenerator<AuditEntryRow> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line !== '') yield auditEntry.parse(JSON.parse(line)) as unknown as AuditEntryRow;
  }
}

async function verdictOn(entries: AsyncIterable<AuditEntryRow>): Promise<ChainVerdict> {
  const verifier = chainVerifier();
  for await (const entry of entries) verifier.add(entry);
  return verifier.verdict();
}

function reportOf(of: string, verdict: ChainVerdict): Outcome {
  return verdict.kind === 'intact'
    ? done({ of, ...verdict }, [`${of}: ${verdict.entries} entries, each following from the one before it`])
    : failed(`${of}: entry ${verdict.sequence} (${verdict.id}): ${verdict.why}`, { of, ...verdict });
}

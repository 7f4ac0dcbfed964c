import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type AuditVerdict, verifyAuditLines } from '../audit/service.ts';
import { businessFlag, command, done, failed, noBusiness, type Outcome, theBusiness } from './command.ts';

export const auditExport = command({
  summary: 'Write a business’s audit log to a new file that verifies on its own',
  flags: { business: businessFlag, file: { about: 'Where to write it' } },
  input: z.object({ business: z.string().optional(), file: z.string().min(1) }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    // Refuses to write over a file that is there.
    const file = await open(input.file, 'wx');
    let lines = 0;
    try {
      for await (const line of backend.services.audit.export(businessId)) {
        await file.write(`${line}\n`);
        lines += 1;
      }
    } finally {
      await file.close();
    }
    return done({ business: businessId, lines, file: input.file }, [`${lines} lines written to ${input.file}`]);
  },
});

export const auditVerify = command({
  summary: 'Verify the hash chain of a business, or of an exported file',
  flags: { business: businessFlag, file: { about: 'A file written by audit export' } },
  input: z.object({ business: z.string().optional(), file: z.string().optional() }),
  async run(input, backend) {
    if (input.file !== undefined) {
      return reportOf(input.file, await verifyAuditLines(createInterface({ input: createReadStream(input.file) })));
    }
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    return reportOf(businessId, await backend.services.audit.verify(businessId));
  },
});

function reportOf(of: string, verdict: AuditVerdict): Outcome {
  if (verdict.kind === 'intact') {
    return done({ of, ...verdict }, [`${of}: ${verdict.entries} entries, each following from the one before it`]);
  }
  const which = verdict.sequence === null ? '' : ` entry ${verdict.sequence}:`;
  return failed(`${of}:${which} ${verdict.why}`, { of, ...verdict });
}

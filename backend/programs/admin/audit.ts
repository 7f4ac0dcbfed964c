import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { operator } from '@florin/shared/actor.ts';
import { oneLine } from '@florin/shared/contracts/text.ts';
import { z } from 'zod';
import { type AuditCheck, verifyAuditLines } from '../../people/audit/service.ts';
import { businessFlag, command, done, failed, noBusiness, type Outcome, theBusiness } from './command.ts';

export const auditExport = command({
  summary: 'Write a business’s audit log to a new file that can be verified without the database',
  flags: { business: businessFlag, file: { about: 'Where to write it' } },
  input: z.object({ business: z.string().optional(), file: z.string().min(1) }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    // Fails if the file exists.
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

const notedHead = z
  .string()
  .regex(/^[1-9]\d{0,14}:[0-9a-f]{64}$/, { error: 'must be SEQUENCE:HASH, as audit verify prints it' })
  .transform(text => {
    const [sequence, hash = ''] = text.split(':');
    return { sequence: Number(sequence), hash };
  })
  .optional();

export const auditVerify = command({
  summary: 'Verify the audit log of a business, or an exported file, and print its head',
  flags: {
    business: businessFlag,
    file: { about: 'A file written by audit export' },
    head: { about: 'A head noted earlier, SEQUENCE:HASH: the log must still contain it' },
  },
  input: z.object({ business: z.string().optional(), file: z.string().optional(), head: notedHead }),
  async run(input, backend) {
    if (input.file !== undefined) {
      const lines = createInterface({ input: createReadStream(input.file) });
      return reportOf(input.file, await verifyAuditLines(lines, input.head));
    }
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    return reportOf(businessId, await backend.services.audit.verify(businessId, input.head));
  },
});

export const auditReseal = command({
  summary: 'Seal the head of an intact audit log again, after SECRETS_KEY was lost or a broken seal was investigated',
  flags: { business: businessFlag, reason: { about: 'Why; the log keeps it' } },
  input: z.object({ business: z.string().optional(), reason: oneLine(200) }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    return reportOf(businessId, await backend.services.audit.reseal(businessId, operator, input.reason));
  },
});

function reportOf(of: string, check: AuditCheck): Outcome {
  if (check.kind === 'intact') {
    const { entries, head } = check;
    return done({ of, ...check }, [
      `${of}: ${entries} entries, intact`,
      `Head ${entries}:${head}. Keep it elsewhere: --head shows later whether the log still contains it.`,
    ]);
  }
  const which = check.sequence === null ? '' : ` entry ${check.sequence}:`;
  return failed(`${of}:${which} ${check.why}`, { of, ...check });
}

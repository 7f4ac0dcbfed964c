import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { erase } from '../privacy/erase.ts';
import { exportPersonalData } from '../privacy/export.ts';
import { addressesOf } from '../privacy/find.ts';
import { type Subject, subjectOf } from '../privacy/subject.ts';
import { businessFlag, command, done, failed, noBusiness, type Outcome, theBusiness } from './command.ts';

const person = {
  email: { about: 'The e-mail address of the person' },
  text: { about: 'Another text that names them, as it is written: a bitcoin destination, a name or a reference' },
};
const personInput = z.object({
  business: z.string().optional(),
  email: z.email().optional(),
  text: z
    .string()
    .regex(/[A-Za-z0-9].*[A-Za-z0-9]/, { error: 'must have letters or digits' })
    .min(5, { error: 'must have at least 5 characters: a shorter one is in the data of others, too' })
    .optional(),
});

function subjectsOf({ email, text }: z.infer<typeof personInput>): Subject[] {
  return [email, text].filter(given => given !== undefined).map(subjectOf);
}

export const privacyExport = command({
  summary: 'Print what a business holds of a person, to be given to them, or of all its customers',
  flags: { business: businessFlag, ...person },
  input: personInput,
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const options = { businessId, subjects: subjectsOf(input), now: systemClock.now() };
    const made = await exportPersonalData(backend, options);
    return done(made, [JSON.stringify(made, null, 2)]);
  },
});

export const privacyErase = command({
  summary: 'Erase what names a person in a business, or customers of long ago; the books stay',
  flags: {
    business: businessFlag,
    ...person,
    olderThan: { about: 'Instead of a person: all customers whose addresses were last used more than these days ago' },
  },
  input: personInput
    .extend({
      olderThan: z
        .string()
        .regex(/^\d{1,5}$/, { error: 'must be a number of days' })
        .transform(Number)
        .optional(),
    })
    .refine(({ email, text, olderThan }) => (olderThan === undefined) === (email !== undefined || text !== undefined), {
      error: 'must name a person (--email, --text), or --older-than',
    }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    if (input.olderThan !== undefined) return eraseOlder(backend, businessId, input.olderThan);
    return outcomeOf(await erase(backend, { businessId, subjects: subjectsOf(input) }));
  },
});

function outcomeOf(erasure: Awaited<ReturnType<typeof erase>>): Outcome {
  if (erasure.kind === 'needed') {
    const { records } = erasure;
    const message = `Nothing was erased: bitcoin is still to be sent there. First end ${records.join(', ')}`;
    return failed(message, { needed: records });
  }
  const { erased, kept, left } = erasure;
  const lines = [
    ...Object.entries(erased).map(([table, rows]) => `Erased from ${table}: ${rows}`),
    ...kept.map(({ table, rows, because }) => `Kept in ${table}: ${rows} (${because})`),
  ];
  const open = Object.entries(left).map(([table, rows]) => `Written meanwhile in ${table}: ${rows}`);
  if (open.length > 0)
    return { ...failed('Repeat it', { erased, kept, left }), lines: [...lines, ...open, 'Repeat it'] };
  return done({ erased, kept }, lines.length === 0 ? ['Nothing names this person'] : lines);
}

/** Many at once, so that tables are read a few times only. */
const atOnce = 50;
const dayMs = 86_400_000;

async function eraseOlder(backend: Backend, businessId: string, days: number): Promise<Outcome> {
  const before = systemClock.now() - days * dayMs;
  const lastUsed = new Map<string, number>();
  for (const { held, row, isNeeded } of await addressesOf(backend, businessId)) {
    const { columns = [], at = '' } = held.addresses ?? {};
    for (const column of columns) {
      const address = String(row[column]);
      const usedAt = isNeeded ? Number.POSITIVE_INFINITY : Number((row as Record<string, unknown>)[at]);
      lastUsed.set(address, Math.max(usedAt, lastUsed.get(address) ?? 0));
    }
  }
  const old = [...lastUsed].flatMap(([address, at]) => (at < before ? [address] : []));
  const totals: Record<string, number> = {};
  for (let from = 0; from < old.length; from += atOnce) {
    const subjects = old.slice(from, from + atOnce).map(subjectOf);
    const outcome = await erase(backend, { businessId, subjects });
    if (outcome.kind === 'needed' || Object.keys(outcome.left).length > 0) return outcomeOf(outcome);
    for (const [table, rows] of Object.entries(outcome.erased)) totals[table] = (totals[table] ?? 0) + rows;
  }
  const lines = Object.entries(totals).map(([table, rows]) => `Erased from ${table}: ${rows}`);
  return done({ addresses: old.length, erased: totals }, [`Addresses of customers: ${old.length}`, ...lines]);
}

import { z } from 'zod';
import type { Backend } from '../../backend.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { type Counts, erase, eraseUnusedSince } from '../privacy/erase.ts';
import { exportPersonalData } from '../privacy/export.ts';
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
    .regex(/[\d\s@]/, { error: 'must have a digit, a space or an @: a single word is in the data of others, too' })
    .optional(),
});

function subjectsOf({ email, text }: z.infer<typeof personInput>): Subject[] {
  return [email, text].filter(given => given !== undefined).map(subjectOf);
}

export const privacyExport = command({
  summary: 'Print what a business holds of a person, to be given to them, or of all its customers',
  flags: { business: businessFlag, ...person },
  input: personInput,
  async run(input, backend, { read }) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    if (!read.ok) throw new Error('the command runs with valid settings only');
    const options = { businessId, subjects: subjectsOf(input), now: systemClock.now(), settings: read.settings };
    const made = await exportPersonalData(backend, options);
    return done(made, JSON.stringify(made, null, 2).split('\n'));
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
      error: 'give it or --text, or --older-than without either',
      path: ['email'],
    }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    if (input.olderThan !== undefined) return eraseOlder(backend, businessId, input.olderThan);
    return outcomeOf(await erase(backend, { businessId, subjects: subjectsOf(input) }));
  },
});

function erasedLines(erased: Counts): string[] {
  const lines = Object.entries(erased).map(([table, rows]) => `Erased from ${table}: ${rows}`);
  const books = 'Kept: amounts, times, invoice numbers and the last four digits of cards, for the accounts';
  return lines.length === 0 ? [] : [...lines, books];
}

function outcomeOf(erasure: Awaited<ReturnType<typeof erase>>): Outcome {
  if (erasure.kind === 'needed') {
    const { records } = erasure;
    const message = 'Nothing was erased, because it is still needed';
    const lines = records.map(({ id, until }) => `Needed by ${id}, until ${until}`);
    return { ...failed(message, { needed: records }), lines: [message, ...lines] };
  }
  const { erased, kept, left } = erasure;
  const lines = [
    ...erasedLines(erased),
    ...kept.map(({ table, rows, because }) => `Kept in ${table}: ${rows} (${because})`),
  ];
  const open = Object.entries(left).map(([table, rows]) => `Written meanwhile in ${table}: ${rows}`);
  if (open.length > 0)
    return { ...failed('Repeat it', { erased, kept, left }), lines: [...lines, ...open, 'Repeat it'] };
  return done({ erased, kept }, lines.length === 0 ? ['Nothing names this person'] : lines);
}

const dayMs = 86_400_000;

async function eraseOlder(backend: Backend, businessId: string, days: number): Promise<Outcome> {
  const before = systemClock.now() - days * dayMs;
  const { addresses, erased, left } = await eraseUnusedSince(backend, { businessId, before });
  const lines = [`Addresses of customers: ${addresses}`, ...erasedLines(erased)];
  const isLeft = Object.keys(left).length > 0;
  return isLeft ? { ...failed('Repeat it', { addresses, erased, left }), lines } : done({ addresses, erased }, lines);
}

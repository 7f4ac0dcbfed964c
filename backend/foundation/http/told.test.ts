import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invalidInput } from './problems.ts';
import { issueIn, problemIn } from './told.ts';

/** What the contracts say is wrong with a field. */
const sources = globSync(`${import.meta.dirname}/../../../shared/contracts/**/*.ts`).filter(
  path => !path.includes('.test.'),
);
const issues = sources.flatMap(path =>
  Array.from(
    readFileSync(path, 'utf8').matchAll(/(?:error|message): (?:\([^)]*\) => )?(['`])((?:must|is|has) .+?)\1/g),
    ([, , message = '']) => message.replace(/\$\{name\}/, 'white').replaceAll(/\$\{[^}]*\}/g, 'x'),
  ),
);

test('what a contract says is wrong with a field has German words', () => {
  expect(issues.length).toBeGreaterThan(60);
  expect(issues.filter(message => issueIn('de', message) === undefined)).toEqual([]);
  // A general sentence takes over what it does not know.
  const leftInEnglish = issues
    .map(message => issueIn('de', message))
    .filter(text => /\b(a|of|the|percent)\b/.test(text ?? ''));
  expect(leftInEnglish).toEqual([]);
  expect(issueIn('de', 'must have at most 100 characters')).toBe('darf höchstens 100 Zeichen haben');
  expect(issueIn('de', 'must have a contrast of at least 3:1 to white, and has 2.1:1')).toBe(
    'braucht einen Kontrast von mindestens 3:1 zu Weiß und hat 2.1:1',
  );
});

test('a refusal is told in German, and what programs read of it stays', () => {
  const { error } = invalidInput({ path: 'name', message: 'must not be empty' });
  expect(problemIn('en', error)).toBe(error);
  expect(problemIn('de', error)).toEqual({
    status: 400,
    message: 'name: darf nicht leer sein',
    metadata: { issues: [{ path: 'name', message: 'darf nicht leer sein' }] },
  });
  const refused = { status: 409, message: 'This staff number is taken', metadata: { reason: 'staff_number_taken' } };
  expect(problemIn('de', refused)).toEqual({ ...refused, message: 'Diese Personalnummer ist vergeben' });
  expect(problemIn('de', { status: 429, message: 'Too many requests', metadata: { retryAfterSeconds: 3 } })).toEqual({
    status: 429,
    message: 'Zu viele Anfragen: Versuchen Sie es in einigen Sekunden erneut',
    metadata: { retryAfterSeconds: 3 },
  });
});

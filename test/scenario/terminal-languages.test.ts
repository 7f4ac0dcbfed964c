import { coreWords } from '@florin/device/core/words.ts';
import { wordsOf } from '@florin/device/renderer/words/words.ts';
import { type CustomerLanguage, customerLanguages } from '@florin/shared/languages.ts';
import { expect, test } from 'vitest';

/** Words that are the same in two languages, or in all of them. */
const sameInBoth = new Set([
  '#+=',
  '12',
  '12 ',
  'Florin',
  'abc',
  'Bank',
  'Bitcoin',
  'Bitcoin, Lightning',
  'Net',
  'Service',
  'Terminal 12, service 12',
  'Versions',
  'Chip',
  'Date',
  'Details',
  'Offline',
  'Online',
  'Terminal',
  'Total 12',
  '••••\u00a012',
]);

/** Every sentence with its place. Facts in it are "12". */
function sentencesOf(words: unknown, place: string): [string, string][] {
  if (typeof words === 'string') return [[place, words]];
  if (typeof words === 'function') return sentencesOf(words('12', '12', '12'), `${place}()`);
  if (typeof words !== 'object' || words === null) return [];
  return Object.entries(words).flatMap(([key, value]) => sentencesOf(value, `${place}.${key}`));
}

async function everySentence(language: CustomerLanguage): Promise<Map<string, string>> {
  const { staff, customer } = await wordsOf(language);
  return new Map(
    sentencesOf({ core: coreWords[language], staff, customer }, language).map(([place, words]) => [
      place.slice(3),
      words,
    ]),
  );
}

test.each(customerLanguages.filter(language => language !== 'en'))(
  'no English sentence is left in the tables of %s',
  async language => {
    const english = await everySentence('en');
    const others = await everySentence(language);
    expect([...others.keys()].sort()).toEqual([...english.keys()].sort());
    expect(others.size).toBeGreaterThan(500);
    const left = [...others].filter(([place, words]) => words === english.get(place) && !sameInBoth.has(words));
    expect(left).toEqual([]);
  },
);

test.each(customerLanguages)('the sentences of %s that name facts name each of them', async language => {
  const facts = (words: string) => words.split('12').length;
  const english = await everySentence('en');
  const others = await everySentence(language);
  const different = [...others].filter(([place, words]) => facts(words) < facts(english.get(place) ?? ''));
  // Whose lockout it is stands once in some languages and twice in others.
  expect(different.filter(([place]) => !place.startsWith('core.lockouts.staff'))).toEqual([]);
});

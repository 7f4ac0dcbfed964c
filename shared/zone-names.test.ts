import { expect, test } from 'vitest';
import { customerLanguages } from './languages.ts';
import { formatWithZone } from './zone-names.ts';

const winter = Date.UTC(2026, 10, 29, 10, 5);
const summer = Date.UTC(2026, 6, 29, 10, 5);
const clock = { hour: 'numeric', minute: '2-digit' } as const;
const inEach = (at: number, timeZone: string) =>
  customerLanguages.map(locale =>
    formatWithZone(at, { locale, timeZone, ...clock }).replace(/^\d+:\d\d(?:\s[AP]M)? /, ''),
  );

test.each([
  ['Europe/London', ['GMT', 'GMT', 'GMT', 'GMT'], ['BST', 'BST', 'BST', 'BST']],
  ['Europe/Berlin', ['CET', 'MEZ', 'CET', 'CET'], ['CEST', 'MESZ', 'CEST', 'CEST']],
  ['America/New_York', ['EST', 'EST', 'EST', 'EST'], ['EDT', 'EDT', 'EDT', 'EDT']],
  ['UTC', ['UTC', 'UTC', 'UTC', 'UTC'], ['UTC', 'UTC', 'UTC', 'UTC']],
])('the zone %s has its short name in every language, in winter and in summer', (timeZone, inWinter, inSummer) => {
  expect([inEach(winter, timeZone), inEach(summer, timeZone)]).toEqual([inWinter, inSummer]);
});

test('a zone without a customary short name has its difference to Greenwich', () => {
  expect(formatWithZone(winter, { locale: 'de-DE', timeZone: 'Asia/Tokyo', ...clock })).toBe('19:05 GMT+9');
});

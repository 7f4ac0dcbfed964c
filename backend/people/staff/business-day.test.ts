import { expect, test } from 'vitest';
import { businessDay } from './business-day.ts';

const hours = ({ from, to }: { from: number; to: number }) => (to - from) / 3_600_000;
const at = (text: string) => Date.parse(text);

test('a day is in the business’s time zone, whatever the server’s', () => {
  const day = businessDay(at('2026-11-21T11:00:00Z'), 'Pacific/Kiritimati');
  expect(new Date(day.from).toISOString()).toBe('2026-11-21T10:00:00.000Z');
  expect(hours(day)).toBe(24);
});

test('days with a clock change have 23 and 25 hours', () => {
  expect(hours(businessDay(at('2026-03-29T12:00:00Z'), 'Europe/London'))).toBe(23);
  expect(hours(businessDay(at('2026-10-25T12:00:00Z'), 'Europe/London'))).toBe(25);
  // A change of half an hour, and one at midnight.
  expect(hours(businessDay(at('2026-04-05T00:00:00Z'), 'Australia/Lord_Howe'))).toBe(24.5);
  expect(hours(businessDay(at('2026-03-29T12:00:00Z'), 'Asia/Beirut'))).toBe(23);
});

test('the first and the last instant of a day belong to it', () => {
  const day = businessDay(at('2026-10-25T12:00:00Z'), 'Europe/London');
  expect(businessDay(day.from, 'Europe/London')).toEqual(day);
  expect(businessDay(day.to - 1, 'Europe/London')).toEqual(day);
  expect(businessDay(day.to, 'Europe/London').from).toBe(day.to);
});

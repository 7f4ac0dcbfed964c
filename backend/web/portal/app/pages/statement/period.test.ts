import { describe, expect, test } from 'vitest';
import { firstDay, monthsUntil, periodOf } from './period.ts';

const today = '2026-11-24';

describe('the period of a statement', () => {
  test('is today without an address that names another', () => {
    const ofToday = { kind: 'day', from: today, to: today, readDays: 1 };
    for (const search of [
      {},
      { day: 'yesterday' },
      { day: '2026-11-25' },
      { day: '2026-08-24' },
      { month: '2026-08-01' },
    ])
      expect(periodOf(search, today)).toEqual(ofToday);
  });

  test('is a day that the service still adds up', () => {
    expect(firstDay(today)).toBe('2026-08-25');
    expect(periodOf({ day: '2026-08-25' }, today)).toEqual({
      kind: 'day',
      from: '2026-08-25',
      to: '2026-08-25',
      readDays: 92,
    });
  });

  test('is a month, with its last day', () => {
    expect(monthsUntil(today)).toEqual(['2026-11-01', '2026-10-01', '2026-09-01']);
    expect(periodOf({ month: '2026-09-01' }, today)).toEqual({
      kind: 'month',
      from: '2026-09-01',
      to: '2026-09-30',
      readDays: 85,
    });
    expect(periodOf({ month: '2026-12-01' }, '2027-01-31')).toMatchObject({ to: '2026-12-31' });
  });
});

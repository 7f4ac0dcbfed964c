import { describe, expect, test } from 'vitest';
import { type HourSample, leakOf } from './hours.ts';

const mebibyte = 2 ** 20;
const hour = 3_600_000;

/** A day of 25 hours that ends after closing, whose heap is `heapOf` the hour and the sales until then. */
function aDay(heapOf: (hour: number, movements: number) => number): HourSample[] {
  let movements = 0;
  return Array.from({ length: 25 }, (_, at) => {
    const isOpen = at >= 9 && at < 21;
    if (isOpen) movements += 100;
    return { at: at * hour, on: isOpen ? 20 : 2, movements, heapBytes: heapOf(at, movements) } as HourSample;
  });
}

describe('the heap of a day', () => {
  test('that fills what it keeps by noon does not leak', () => {
    expect(leakOf(aDay(at => Math.min(at, 12) * mebibyte))).toEqual({ bytesPerNightHour: 0, bytesPerMovement: 0 });
  });

  test('that keeps something of each sale grows by that', () => {
    expect(leakOf(aDay((_, movements) => movements * 2_000))).toEqual({
      bytesPerNightHour: 0,
      bytesPerMovement: 2_000,
    });
  });

  test('that keeps something of each hour grows by that, also after closing', () => {
    expect(leakOf(aDay(at => at * mebibyte)).bytesPerNightHour).toBeCloseTo(mebibyte, 0);
  });
});

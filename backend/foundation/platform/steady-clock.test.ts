import { expect, test } from 'vitest';
import { steadyClock } from './steady-clock.ts';

const second = 1_000;
const hour = 3_600 * second;
const holdBackMs = 25 * hour;

function aSteadyClock() {
  let wall = 1_000_000_000;
  let elapsed = 0;
  const steps: number[] = [];
  const clock = steadyClock({
    clock: { now: () => wall },
    elapsedMs: () => elapsed,
    holdBackMs,
    onStep: ({ aheadMs }) => steps.push(Math.round(aheadMs)),
  });
  return {
    clock,
    steps,
    wall: () => wall,
    pass(ms: number) {
      wall += ms;
      elapsed += ms;
      return clock.now();
    },
    step(ms: number) {
      wall += ms;
      return clock.now();
    },
  };
}

test('follows a system clock that runs at normal speed', () => {
  const { clock, pass, wall } = aSteadyClock();
  for (let day = 0; day < 400; day += 1) expect(pass(24 * hour)).toBe(wall());
  expect(clock.lagMs()).toBe(0);
});

test('follows a clock slewed by a time service', () => {
  const { clock, pass, step } = aSteadyClock();
  for (let minute = 0; minute < 1_440; minute += 1) {
    pass(60 * second);
    step(30);
  }
  expect(clock.lagMs()).toBeLessThan(100);
});

test('takes no step forward, even in small increments', () => {
  const { pass, step, wall, clock } = aSteadyClock();
  const before = wall();
  expect(step(hour)).toBeLessThan(before + second);
  expect(pass(5 * 60 * second)).toBeLessThan(before + 302 * second);
  for (let times = 0; times < 1_000; times += 1) step(1_900);
  expect(clock.now()).toBeLessThan(before + 305 * second);
  expect(clock.lagMs()).toBeGreaterThan(hour + 1_000 * second);
});

test('reports a step once, and accepts it once no earlier lockout can still run', () => {
  const { clock, pass, step, steps, wall } = aSteadyClock();
  step(3 * hour);
  pass(hour);
  expect(steps).toEqual([3 * hour]);
  pass(24 * hour);
  expect(clock.now()).toBe(wall());
});

test('follows the system clock back, and forward again to its earlier time', () => {
  const { clock, pass, step, wall } = aSteadyClock();
  step(-hour);
  pass(60 * second);
  expect(clock.now()).toBe(wall());
  step(hour);
  expect(clock.lagMs()).toBeLessThan(second);
});

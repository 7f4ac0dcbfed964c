import { expect, onTestFinished, test } from 'vitest';
import { scaleDrill } from './drill.ts';
import { told } from './told.ts';

test('three processes that serve and two workers lose and double nothing when a synchronous standby takes over', async () => {
  const figures = await scaleDrill({ phaseMs: 2_000, customers: 8, atTheEnd: onTestFinished });
  console.log(told(figures));
  expect(figures.violations).toEqual([]);
  expect(figures.webhooks).toMatchObject({ lost: 0, unexpected: 0 });
  // The kill was felt, and the service came back by itself.
  expect([...figures.failures.keys()].length).toBeGreaterThan(0);
  expect(figures.answeredAfterMs).toBeLessThan(30_000);
}, 240_000);

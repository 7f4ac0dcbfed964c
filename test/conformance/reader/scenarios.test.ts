import { readFileSync } from 'node:fs';
import { textOf } from '@florin/hardware-sim/actions.ts';
import { ScenarioRunner } from '@florin/hardware-sim/scenarios/runner.ts';
import { parseScenario } from '@florin/hardware-sim/scenarios/scenario.ts';
import { TesterSession } from '@florin/hardware-sim/scenarios/session.ts';
import { expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aReaderWorld, type ReaderWorld, settle } from './world.ts';

/** The scenarios shipped with the simulator, run with the driver and a till that queries and confirms. */
test.each([
  ['approve', 2],
  ['noise', 2],
  ['unplugged', 1],
])('the scenario %s.yaml passes', async (name, sales) => {
  const world = await aReaderWorld();
  const text = readFileSync(new URL(`../../../hardware-sim/scenarios/${name}.yaml`, import.meta.url), 'utf8');
  const scenario = parseScenario(text);
  if (!scenario.ok) throw new Error(scenario.refusal.message);
  const runner = new ScenarioRunner({ simulator: world.simulator, timers: world.timers, scenario: scenario.value });
  const report = runner.run();
  for (let index = 1; index <= sales; index++) {
    await ready(world.reader);
    const outcome = await world.sale(`sale_${index}`).outcome;
    expect(outcome.kind === 'unknown' ? await settle(world, `sale_${index}`) : outcome).toMatchObject({
      kind: 'approved',
    });
    expect(world.bank.chargesOf(`sale_${index}`)).toBe(1);
    await world.reader.confirm(`sale_${index}`);
  }
  expect(await report).toMatchObject({ passed: true, violations: [] });
  runner.close();
  await world.close();
});

test('what a tester did is recorded without card data, and played again with the same result', async () => {
  const first = await aReaderWorld();
  const session = new TesterSession({ simulator: first.simulator, timers: first.timers, auto: undefined });
  const outcome = await sold(first, 'sale_1', async stage => {
    if (stage === 'present') await first.act({ do: 'insert', card: 'visa-debit' });
    if (stage === 'pin') for (const key of ['4', '3', '2', '1', 'enter'] as const) await first.act({ do: 'key', key });
    if (stage === 'pin_retry')
      for (const key of ['1', '2', '3', '4', 'enter'] as const) await first.act({ do: 'key', key });
    if (stage === 'online') await first.act({ do: 'drop', lines: 1 });
  });
  expect(outcome.kind).toBe('approved');
  await first.act({ do: 'remove' });
  const recorded = session.recording();
  session.close();
  await first.close();
  expect(recorded).not.toMatch(/\d{4}/);
  const scenario = parseScenario(recorded);
  if (!scenario.ok) throw new Error(scenario.refusal.message);
  expect(scenario.value.steps.map(step => step.do.map(textOf))).toEqual([
    ['insert visa-debit', 'pin wrong', 'pin ok'],
    ['drop', 'remove'],
  ]);

  const again = await aReaderWorld();
  const replay = new TesterSession({ simulator: again.simulator, timers: again.timers, auto: undefined });
  const report = replay.run(scenario.value);
  expect((await sold(again, 'sale_1', async () => undefined)).kind).toBe('approved');
  expect(await report).toMatchObject({ passed: true });
  await expect.poll(() => again.simulator.state().insertedCard, { interval: 5 }).toBeNull();
  replay.close();
  await again.close();
});

/** A sale of 10.00 at which `act` is told each stage of the reader's dialogue. */
async function sold(world: ReaderWorld, id: string, act: (stage: string) => Promise<void>) {
  await ready(world.reader);
  const waiting: Promise<void>[] = [];
  let stage: string | undefined;
  const stop = world.simulator.onChange(() => {
    if (world.simulator.stage === stage || world.simulator.stage === undefined) return;
    stage = world.simulator.stage;
    const reached = stage;
    // Deferred, because the reader is still processing the change.
    queueMicrotask(() => waiting.push(act(reached)));
  });
  const outcome = await world.sale(id, { amountMinor: 900 }).outcome;
  stop();
  await Promise.all(waiting);
  return outcome.kind === 'unknown' ? await settle(world, id) : outcome;
}

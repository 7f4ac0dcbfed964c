import { readFileSync } from 'node:fs';
import { ScenarioRunner } from '@florin/hardware-sim/scenarios/runner.ts';
import { parseScenario } from '@florin/hardware-sim/scenarios/scenario.ts';
import { expect, test } from 'vitest';
import { ready } from './suite.ts';
import { aReaderWorld, settle } from './world.ts';

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

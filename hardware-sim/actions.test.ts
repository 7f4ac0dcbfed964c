import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { action, parseAction, textOf } from './actions.ts';
import { actionReference } from './reference.ts';
import { scenarioSchema } from './scenarios/scenario.ts';
import { ReaderSimulator } from './simulator.ts';

const examples = action.options.flatMap(option => option.meta()?.examples ?? []).map(String);
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('every action has an example that can be parsed, and is written again as it was', () => {
  for (const option of action.options)
    expect(option.meta()?.examples?.length, option.shape.do.value).toBeGreaterThan(0);
  for (const example of examples) {
    const parsed = parseAction(example);
    if (!parsed.ok) throw new Error(`${example}: ${JSON.stringify(parsed.refusal)}`);
    expect(textOf(parsed.value), example).toMatch(new RegExp(`^${example}( on)?$`));
  }
});

test('every example is carried out, or refused for the moment it comes at', async () => {
  for (const protocol of ['line', 'zvt'] as const) {
    const simulator = await ReaderSimulator.start({
      protocol,
      pace: 'unpaced',
      timers: { after: () => () => undefined },
    });
    for (const example of examples.filter(text => !text.startsWith('wait'))) {
      const parsed = parseAction(example);
      const refusal = parsed.ok ? await simulator.act(parsed.value) : undefined;
      expect(refusal?.kind, `${protocol}: ${example}`).not.toBe('bad_action');
    }
    simulator.close();
  }
});

test.each([
  'unplug clean 1 2',
  'battery many',
  'insert 4111111111111111',
  'pin 1234',
  'bank robbery',
  'constructor',
  '',
])('%j is no action', text => {
  expect(parseAction(text).ok).toBe(false);
});

test('the reference and the schema for editors are those of the actions', () => {
  expect(read('ACTIONS.md')).toBe(actionReference());
  expect(JSON.parse(read('scenarios/scenario.schema.json'))).toEqual(scenarioSchema());
});

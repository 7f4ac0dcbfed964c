import type { z } from 'zod';
import { action } from './actions.ts';

/** ACTIONS.md: every action with its parameters and examples, from its schema. */
export function actionReference(): string {
  const rows = action.options.map(option => {
    const { do: verb, ...parameters } = option.shape;
    const { description = '', examples = [] } = option.meta() ?? {};
    const named = Object.entries(parameters).map(([name, type]) => parameterText(name, type));
    const shown = examples.map(example => `\`${String(example)}\``).join(', ');
    return `| \`${[verb.value, ...named].join(' ')}\` | ${description} | ${shown} |`;
  });
  return [
    '# Actions',
    '',
    'What scenarios, the page and `POST /api/actions` can do; made by `npm run -s hardware-sim -- --reference`. In a scenario the words follow',
    'the name in this order, in brackets those that may be left out; in JSON they are fields: `unplug mid_line 3` is',
    '`{"do":"unplug","mode":"mid_line","afterLines":3}`.',
    '',
    '| Action | What it does | Examples |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function parameterText(name: string, type: z.ZodType): string {
  const isOptional = type.safeParse(undefined).success;
  return isOptional ? `[${name}]` : name;
}

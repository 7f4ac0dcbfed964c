import { z } from 'zod';
import { type DescribedSetting, describedSettings } from '../../config/described.ts';
import { command } from './command.ts';

export const configPrint = command({
  summary: 'Print the settings that take effect and where each comes from; secrets only as set or not set',
  flags: {},
  input: z.object({}),
  needsBackend: false,
  needsSettings: false,
  async run(_, _backend, { env, given, read }) {
    const settings = describedSettings(env, given);
    const problems = read.ok ? [] : read.problems;
    const width = Math.max(...settings.map(({ name }) => name.length));
    const lines = settings.map(one => `${one.name.padEnd(width)}  ${textOf(one)}  (${one.from})`);
    return {
      ok: read.ok,
      json: { settings, problems },
      lines: [...lines, ...problems.map(problem => `Invalid: ${problem}`)],
    };
  },
});

function textOf({ value, from, isSecret, otherwise }: DescribedSetting): string {
  if (from === 'not set') return otherwise ?? '–';
  return isSecret ? 'set' : (value ?? '');
}

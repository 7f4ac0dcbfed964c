import { z } from 'zod';
import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { command } from './command.ts';

export const doctorRun = command({
  summary: 'Check this installation: settings, key, database, clock, disk, TLS, mail, gateways and nodes',
  flags: {},
  input: z.object({}),
  needsBackend: false,
  needsSettings: false,
  async run(_, _backend, { env, read }) {
    const findings = await examine(read, env);
    const count = (state: Finding['state']) => findings.filter(one => one.state === state).length;
    const summary = { fine: count('fine'), look: count('look'), wrong: count('wrong') };
    return {
      ok: summary.wrong === 0,
      json: { findings, ...summary },
      lines: [...findings.flatMap(linesOf), `${summary.fine} fine, ${summary.look} to look at, ${summary.wrong} wrong`],
    };
  },
});

function linesOf({ check, state, says, todo }: Finding): string[] {
  return [
    `${state.padEnd(5)}  ${check.padEnd(15)}${says}`,
    ...(todo === null ? [] : [`       ${''.padEnd(15)}→ ${todo}`]),
  ];
}

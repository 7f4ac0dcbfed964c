import { operator } from '@florin/shared/actor.ts';
import { z } from 'zod';
import { bitcoinBackendRecord } from '../../bitcoin/backends/backend.ts';
import type { NodeConnectionTest } from '../../bitcoin/nodes/node.ts';
import { nodeRegistry } from '../../bitcoin/nodes/registry.ts';
import { systemTimers } from '../../foundation/platform/system.ts';
import { nodeCause } from '../doctor/causes.ts';
import { businessFlag, command, done, failed, jsonFile, noBusiness, theBusiness } from './command.ts';

const business = z.string().optional();

const adapters = [...nodeRegistry({ timers: systemTimers, timeoutMs: 0, policy: { allowLoopback: false } }).values()];
const exampleOf = (part: 'config' | 'secrets') =>
  adapters.map(({ name, examples }) => `for ${name} ${JSON.stringify(examples[part])}`).join('; ');

export const bitcoinBackendSet = command({
  summary: 'Set the node that a business is paid in bitcoin through; it is asked first',
  flags: {
    business: businessFlag,
    adapter: { about: `Kind of node: ${adapters.map(one => one.name).join(', ')}` },
    configFile: { about: `JSON file with its settings, ${exampleOf('config')}` },
    secretsFile: { about: `JSON file with its secrets, which are stored encrypted, ${exampleOf('secrets')}` },
  },
  input: z.object({ business, adapter: z.string(), configFile: jsonFile, secretsFile: jsonFile }),
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const settings = { adapter: input.adapter, config: input.configFile, secrets: input.secretsFile };
    const set = await backend.services.bitcoinBackends.set(businessId, settings, operator);
    if (set.ok) {
      const bitcoinBackend = await bitcoinBackendRecord(set.value);
      return done({ bitcoinBackend }, [`Bitcoin backend ${bitcoinBackend.id}, on ${bitcoinBackend.network}`]);
    }
    const { refusal } = set;
    if (refusal.kind === 'settings_invalid') return failed(refusal.problems.join('; '), { problems: refusal.problems });
    return failed(`The node failed its connection test: ${linesOf(refusal.tests).join('; ')}`, {
      tests: refusal.tests,
    });
  },
});

export const bitcoinBackendTest = command({
  summary: 'Ask the node of a business something harmless: are its address and its secrets right?',
  flags: { business: businessFlag },
  input: z.object({ business }),
  asksNodes: true,
  async run(input, backend) {
    const businessId = await theBusiness(backend, input.business);
    if (businessId === undefined) return noBusiness(input.business);
    const tested = await backend.services.bitcoinBackends.test(businessId);
    if (!tested) return failed('The business has no bitcoin backend');
    const { tests } = tested;
    return { ok: tests.every(({ ok }) => ok), json: { tests }, lines: linesOf(tests) };
  },
});

function linesOf(tests: readonly NodeConnectionTest[]): string[] {
  return tests.map(test => {
    if (test.ok) return `${test.name}: ok`;
    const { says, todo } = nodeCause(test.cause);
    return `${test.name}: ${says}. ${todo}`;
  });
}

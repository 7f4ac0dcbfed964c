import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReaderSimulator } from '@florin/hardware-sim/simulator.ts';
import { type Bench, inRounds, middle, type Reading, type Scale, whole } from './bar.ts';
import { bareServer, type ColdStart, coldStart, memoryOnceReady } from './cold-start.ts';
import { inFolder } from './place.ts';

const root = join(import.meta.dirname, '../..');
const throughGuard = ['--import', join(root, 'backend/foundation/platform/node-24.mjs')];

/** Bar 10: the built backend's time to its first answer and the memory of backend and terminal, against a bare Node server. */
export const programs: Bench = {
  name: 'programs',
  about: 'bar 10: the built backend from start to its first 200, its memory, and that of the terminal',
  run: async scale => {
    // What an operator installs: the build starts each program once, which fills its compile cache.
    scale.print('building the programs');
    await promisify(execFile)(process.execPath, [join(root, 'backend/programs/build/cli.ts')]);
    return [...(await inFolder(folder => backendStart(scale, folder))), ...(await terminalMemory(scale))];
  },
};

async function backendStart(scale: Scale, folder: string): Promise<Reading[]> {
  const bundle = [join(root, 'dist/backend/main.cjs')];
  let number = 0;
  const backend = async (program: readonly string[], data: string, env: Record<string, string> = {}) => {
    const port = await freePort();
    const args = [...program, '--port', String(port), '--data', data];
    return coldStart({ args, url: `http://127.0.0.1:${port}/healthz`, env });
  };
  const fresh = () => {
    number += 1;
    return backend(bundle, join(folder, `fresh${number}`));
  };
  const migrated = join(folder, 'migrated');
  const fromSources = () => backend([...throughGuard, join(root, 'backend/main.ts')], migrated);
  await fromSources();
  const rounds = await inRounds(scale, async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    return {
      bare: await coldStart({ args: [...bareServer, String(port)], url }),
      fresh: await fresh(),
      migrated: await backend(bundle, migrated),
      uncached: await backend(bundle, migrated, { NODE_DISABLE_COMPILE_CACHE: '1' }),
      sources: await fromSources(),
    };
  });
  type Kind = keyof (typeof rounds)[number];
  const figure = (kind: Kind, what: keyof ColdStart) => middle(rounds.map(round => round[kind][what]));
  const against = (bar: string, kind: Kind, what: keyof ColdStart, goal: number): Reading => {
    const unit = what === 'residentMb' ? 'MB' : 'ms';
    return {
      bar,
      goal: { sign: '≤', value: goal },
      ratio: middle(rounds.map(round => round[kind][what] / round.bare[what])),
      measured: `${whole(figure(kind, what))} ${unit}`,
      ceiling: `${whole(figure('bare', what))} ${unit}`,
    };
  };
  const withoutGoal = (reading: Reading): Reading => ({ ...reading, goal: undefined });
  return [
    against('10 first 200, fresh database', 'fresh', 'firstAnswerMs', 4),
    against('10 first 200, migrated database', 'migrated', 'firstAnswerMs', 4),
    against('10 memory, fresh database', 'fresh', 'residentMb', 2),
    against('10 memory, migrated database', 'migrated', 'residentMb', 2),
    withoutGoal(against('  processor time to it, migrated', 'migrated', 'cpuMs', 4)),
    withoutGoal(against('  first 200, no compile cache', 'uncached', 'firstAnswerMs', 4)),
    withoutGoal(against('  memory, no compile cache', 'uncached', 'residentMb', 2)),
    withoutGoal(against('  first 200, from the sources', 'sources', 'firstAnswerMs', 4)),
    withoutGoal(against('  memory, from the sources', 'sources', 'residentMb', 2)),
  ];
}

/** As `device/deploy/florin-terminal.service` starts it. */
const asDeployed = ['--max-semi-space-size=2', join(root, 'dist/terminal/main.cjs')];
const terminalLimitMb = 105;

/** The terminal's core, reader driver and host, with a reader connected and a service that answers 404. */
async function terminalMemory(scale: Scale): Promise<Reading[]> {
  const simulator = await ReaderSimulator.start({ pace: 'unpaced' });
  const service = createServer((_request, response) => response.writeHead(404).end('{}'));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const rounds = await inRounds(scale, round =>
    inFolder(async folder => {
      const options = ['--service', serviceUrl, '--data', join(folder, String(round)), '--reader', simulator.path];
      const connected = new Promise<void>(resolve => {
        const stop = simulator.onFrame(direction => {
          if (direction !== 'reader') return;
          stop();
          resolve();
        });
      });
      return memoryOnceReady([...asDeployed, '--quiet', '--port', '0', ...options], connected);
    }),
  );
  simulator.close();
  service.close();
  const measuredMb = middle(rounds);
  return [
    {
      bar: 'terminal memory, reader connected',
      goal: { sign: '≤', value: 1 },
      ratio: measuredMb / terminalLimitMb,
      measured: `${whole(measuredMb)} MB`,
      ceiling: `${terminalLimitMb} MB`,
    },
  ];
}

async function freePort(): Promise<number> {
  const server = createNetServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

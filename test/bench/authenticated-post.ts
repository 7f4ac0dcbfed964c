import { join } from 'node:path';
import { openBackend } from '@florin/backend/backend.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { operator } from '@florin/shared/actor.ts';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { type Bench, inRounds, middle, whole } from './bar.ts';
import { instantRegistry } from './instant-gateway.ts';
import { load } from './load.ts';
import { inFolder, settingsFor } from './place.ts';
import { examplePost, postPath } from './post-contract.ts';
import { offCoreZero, type ServerProcess, startOnCoreZero } from './processes.ts';

/** Bar 1: what the HTTP layer costs beyond authentication and validation themselves. */
export const authenticatedPost: Bench = {
  name: 'post',
  about: 'bar 1: an authenticated, validated POST against node:http with the same key lookup and the same zod',
  run: scale =>
    inFolder(folder =>
      offCoreZero(async () => {
        const env = { DATA: folder, SECRETS_KEY: secretsKeySetting, PORT: '0', RATE_LIMIT_PER_KEY: '1000000000' };
        const key = await aKey(env);
        const product = await startOnCoreZero('server.ts', { env, logFile: join(folder, 'backend.log') });
        const bare = await startOnCoreZero('bare-post.ts', { env, logFile: join(folder, 'bare.log') });
        const times = scale.times(20_000);
        const rounds = await inRounds(scale, async () => ({
          ceiling: await costOf(bare, key, times),
          product: await costOf(product, key, times),
        }));
        await Promise.all([product.stop(), bare.stop()]);
        const microseconds = (of: readonly Cost[]) => middle(of.map(({ cpuUs }) => cpuUs));
        const summaryOf = (of: readonly Cost[]) =>
          `${microseconds(of).toFixed(1)} µs, ${whole(middle(of.map(({ perSecond }) => perSecond)))} posts/s`;
        return [
          {
            bar: '1 authenticated, validated POST',
            goal: { sign: '≥', value: 0.5 },
            ratio: middle(rounds.map(round => round.ceiling.cpuUs / round.product.cpuUs)),
            measured: summaryOf(rounds.map(round => round.product)),
            ceiling: summaryOf(rounds.map(round => round.ceiling)),
            note: 'by processor time of the server for each request: the load generator cannot keep the ceiling busy.',
          },
        ];
      }),
    ),
};

type Cost = { readonly cpuUs: number; readonly perSecond: number };

async function costOf(server: ServerProcess, key: string, times: number): Promise<Cost> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  let answered = 0;
  const before = await server.cpuUs();
  const { perSecond } = await load({
    url: server.url,
    connections: 50,
    times,
    call: () => ({ path: postPath, headers, body: examplePost }),
    check(status, body) {
      if (status !== 200 || !body.includes('"accepted":true')) throw new Error(`answered ${status}: ${body}`);
      answered += 1;
    },
  });
  return { cpuUs: ((await server.cpuUs()) - before) / answered, perSecond };
}

async function aKey(env: Readonly<Record<string, string>>): Promise<string> {
  const log = createLog({ level: 'silent' });
  const backend = await openBackend({
    settings: settingsFor(env),
    log,
    publicUrl: 'http://127.0.0.1',
    gatewayRegistry: instantRegistry(),
  });
  const made = await backend.services.apiKeys.create(
    'biz_bench000',
    { name: 'bench', preset: 'CUSTOM', permissions: ['take-payments:write'], expiresAt: null },
    operator,
  );
  await backend.close();
  if (!made.ok) throw new Error('no key could be made');
  return made.value.secret;
}

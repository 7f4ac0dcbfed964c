import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Backend, openBackend } from '@florin/backend/backend.ts';
import { unkeyedWrite } from '@florin/backend/foundation/idempotency/call.ts';
import { createLog } from '@florin/backend/foundation/platform/log.ts';
import { operator } from '@florin/shared/actor.ts';
import { z } from 'zod';
import { secretsKeySetting } from '../support/gateway-account.ts';
import { settingsFor } from './place.ts';
import { benchBusinessId, createShop } from './shop.ts';

export type Env = Readonly<Record<string, string>>;
export const baseEnv = (folder: string): Env => ({
  DATA: folder,
  SECRETS_KEY: secretsKeySetting,
  PORT: '0',
  OUTBOUND_ALLOW_LOOPBACK: 'true',
  RATE_LIMIT_PER_KEY: '1000000000',
});

/** Called with the shop before a process serves it. */
export async function prepare<Value>(env: Env, work: (backend: Backend) => Promise<Value>): Promise<Value> {
  const log = createLog({ level: 'error' });
  const backend = await openBackend({
    settings: settingsFor({ ...env, ROLE: 'api' }),
    log,
    publicUrl: 'http://127.0.0.1',
  });
  try {
    await createShop(backend.database);
    return await work(backend);
  } finally {
    await backend.close();
  }
}

export async function addEndpoint({ services, database }: Backend, url: string): Promise<string> {
  const endpoint = { url, eventType: 'terminal.sale.completed', description: null } as const;
  const made = await services.webhooks.create(benchBusinessId, endpoint, operator, unkeyedWrite(database));
  if (!made.ok) throw new Error(`no endpoint: ${made.refusal.kind}`);
  return made.value.webhook.id;
}

const statistics = z.object({ elapsedMs: z.number(), lagsMs: z.array(z.number()) });
type Question = { readonly ask: 'count' | 'statistics' } | { readonly ask: 'reset'; readonly warmUp: number };

/** The merchant's server of `webhook-sink.ts`. */
export async function startSink() {
  const child = fork(join(import.meta.dirname, 'webhook-sink.ts'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  async function ask(question: Question): Promise<unknown> {
    const answer = once(child, 'message');
    child.send(question);
    return (await answer)[0];
  }
  return {
    url,
    read: async () => statistics.parse(await ask({ ask: 'statistics' })),
    /** Resets the counts; timing begins after this many requests. */
    reset: (warmUp = 0) => ask({ ask: 'reset', warmUp }),
    /** Resolves once it has received this many requests. */
    async has(count: number): Promise<void> {
      for (let waits = 0; z.number().parse(await ask({ ask: 'count' })) < count; waits += 1) {
        if (waits > 1_200) throw new Error(`the endpoint of the bench did not receive ${count} webhooks`);
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

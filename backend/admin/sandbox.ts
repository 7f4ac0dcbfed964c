import { z } from 'zod';
import { command, done, failed } from './command.ts';

/** Runs the sandbox gateway's settlement now, as the real one does at night. */
export const sandboxSettle = command({
  summary: 'Settle what the sandbox gateway has taken',
  flags: { controlUrl: { about: 'The sandbox’s control interface (default http://127.0.0.1:4113)' } },
  input: z.object({ controlUrl: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:4113') }),
  needsBackend: false,
  async run({ controlUrl }) {
    const address = `${controlUrl.replace(/\/+$/, '')}/control/settle`;
    const headers = { 'content-type': 'application/json' };
    const { request } = await import('undici');
    const response = await request(address, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
    if (!response) return failed(`The sandbox does not answer at ${controlUrl}`);
    const said = (await response.body.json()) as Record<string, unknown>;
    if (response.statusCode !== 200) return failed(`The sandbox refused (${response.statusCode})`, { said });
    return done({ settled: said }, [`Settled: ${JSON.stringify(said)}`]);
  },
});

import { z } from 'zod';
import { wholeNumber } from '../../foundation/platform/command-line.ts';
import { command, done, failed } from './command.ts';

const run = z.object({ accepted: z.int(), rejected: z.int(), acceptedRefunds: z.int() });

/** Runs the sandbox gateway's settlement, which a real gateway runs at night. */
export const sandboxSettle = command({
  summary: 'Settle what the sandbox gateway has taken',
  flags: {
    portBase: { about: 'Where the ports of the sandbox start (PORT_BASE, default 4100)', env: 'PORT_BASE' },
  },
  input: z.object({ portBase: wholeNumber({ least: 1024, most: 65_000 }).default(4100) }),
  needsBackend: false,
  async run({ portBase }) {
    const address = `http://127.0.0.1:${portBase + 13}`;
    const headers = { 'content-type': 'application/json' };
    const { request } = await import('undici');
    const url = `${address}/control/settle`;
    const response = await request(url, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
    if (!response) return failed(`The sandbox does not respond at ${address}`);
    const content: unknown = await response.body.json();
    const settled = run.safeParse(content);
    if (!settled.success) return failed(`The sandbox refused (${response.statusCode})`, { response: content });
    return done({ settled: content }, [summaryOf(settled.data)]);
  },
});

function summaryOf({ accepted, rejected, acceptedRefunds }: z.infer<typeof run>): string {
  const sales = `${counted(accepted - acceptedRefunds, 'sale')} settled`;
  const refunds = acceptedRefunds === 0 ? '' : `, ${counted(acceptedRefunds, 'refund')} settled`;
  return `${sales}${refunds}${rejected === 0 ? '' : `, ${rejected} rejected by the bank`}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

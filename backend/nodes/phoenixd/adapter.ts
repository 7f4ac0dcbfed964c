import { z } from 'zod';
import { urlProblem } from '../../outbound/address.ts';
import { type NodeAdapter, nodeAdapter } from '../adapter.ts';
import type { ExchangePorts } from '../exchange.ts';
import { phoenixdNode } from './node.ts';

/** A phoenixd: its HTTP address and one of its passwords; the limited one cannot send. */
export function phoenixdAdapter(ports: ExchangePorts): NodeAdapter {
  return nodeAdapter({
    name: 'phoenixd',
    examples: {
      config: { url: 'https://phoenixd.example:9740' },
      secrets: { password: 'http-password of phoenix.conf' },
    },
    config: z.strictObject({
      url: z.string().superRefine((url, context) => {
        const problem = urlProblem(url, ports.policy);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
    }),
    secrets: z.strictObject({
      password: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{8,200}$/, { error: 'must be the password of phoenixd’s configuration' }),
    }),
    open: ({ config, secrets }) => phoenixdNode({ url: config.url, password: secrets.password }, ports),
  });
}

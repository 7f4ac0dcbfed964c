import { z } from 'zod';
import { urlProblem } from '../../../foundation/outbound/address.ts';
import { type NodeAdapter, nodeAdapter } from '../adapter.ts';
import type { ConnectionPorts } from '../connection.ts';
import { onChainSettings } from '../esplora/watched-account.ts';
import { phoenixdNode } from './node.ts';

/**
 * A phoenixd: its HTTP address and one of its passwords (the limited one cannot send). It has no on-chain receiving
 * addresses; they can be derived from an extended public key.
 */
export function phoenixdAdapter(ports: ConnectionPorts): NodeAdapter {
  return nodeAdapter({
    name: 'phoenixd',
    examples: {
      config: {
        url: 'https://phoenixd.example:9740',
        onChain: {
          publicKey:
            'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
          sources: ['https://esplora.example/api'],
        },
      },
      secrets: { password: 'http-password of phoenix.conf' },
    },
    config: z.strictObject({
      url: z.string().superRefine((url, context) => {
        const problem = urlProblem(url, ports.policy);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
      onChain: onChainSettings(ports).optional(),
    }),
    secrets: z.strictObject({
      password: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{8,200}$/, { error: 'must be the password of phoenixd’s configuration' }),
    }),
    open: ({ config, secrets, addressIndexes }) => phoenixdNode({ ...config, ...secrets, addressIndexes }, ports),
  });
}

import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { urlProblem } from '../../../foundation/outbound/address.ts';
import { type NodeAdapter, nodeAdapter } from '../adapter.ts';
import type { ConnectionPorts } from '../connection.ts';
import { lndNode } from './node.ts';

const hexadecimal = /^([0-9a-f]{2}){32,}$/i;
const base64 = /^[A-Za-z0-9+/_-]{43,}={0,2}$/;

/** `lncli bakemacaroon` prints hexadecimal, InitWallet returns base64; the header takes hexadecimal. */
const macaroon = z
  .string()
  .trim()
  .max(10_000)
  .transform((text, context) => {
    if (hexadecimal.test(text)) return text.toLowerCase();
    if (base64.test(text)) return Buffer.from(text, 'base64').toString('hex');
    context.addIssue({ code: 'custom', message: 'must be a macaroon in hexadecimal or base64' });
    return z.NEVER;
  });

/** PEM, or the base64 between its lines. */
const certificate = z
  .string()
  .trim()
  .max(20_000)
  .transform((text, context) => {
    const pem = text.startsWith('-----') ? text : `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
    try {
      return new X509Certificate(pem).toString();
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a certificate in PEM form' });
      return z.NEVER;
    }
  });

/** An LND node: its REST address, its certificate if self-signed, and a macaroon. */
export function lndAdapter(ports: ConnectionPorts): NodeAdapter {
  return nodeAdapter({
    name: 'lnd',
    examples: {
      config: { url: 'https://node.example:8080', certificate: 'PEM' },
      secrets: { macaroon: 'hexadecimal' },
    },
    config: z.strictObject({
      url: z.string().superRefine((url, context) => {
        const problem = urlProblem(url, ports.policy);
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
      }),
      certificate: certificate.optional(),
      privateHints: z.boolean().default(false),
    }),
    secrets: z.strictObject({ macaroon }),
    open: ({ config, secrets, invoiceKey }) => lndNode({ config, macaroonHex: secrets.macaroon, invoiceKey }, ports),
  });
}

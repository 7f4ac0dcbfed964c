import { z } from 'zod';
import { contract } from '../contract.ts';
import { json } from '../responses.ts';
import { supportCode } from '../support-code.ts';
import { machineWord, oneLine } from '../text.ts';

/** What support needs of a terminal: its program, and the last lines of its log, which hold no secrets and no card data. */
export const terminalDiagnostics = z.object({
  launchCode: supportCode.meta({
    description: 'Names the launch of the program that wrote the log: the code on the status page',
    example: 'K7MTQX',
  }),
  appVersion: machineWord(40),
  platform: oneLine(200).meta({
    description: 'The program that runs the terminal, and the machine',
    example: 'Electron 39.2.4; win32 10.0.26100 x64; Node.js v22.20.0',
  }),
  log: z
    .array(z.string().max(4_000))
    .max(1_000)
    .meta({
      description: 'Lines of JSON, oldest first',
      example: ['{"level":30,"time":"2026-03-01T09:00:00.000Z","launchCode":"K7MTQX","msg":"reader connected"}'],
    }),
});
export type TerminalDiagnostics = z.infer<typeof terminalDiagnostics>;

/** Sent when somebody opens the terminal's status page, to whom support will ask for the code on it. */
export const sendDiagnostics = contract({
  name: 'sendDiagnostics',
  method: 'POST',
  path: '/device/v1/diagnostics',
  authentication: ['deviceToken'],
  summary: 'Send the end of this terminal’s log',
  description: 'It replaces what this terminal sent before.',
  tag: 'Devices',
  body: terminalDiagnostics,
  responses: { 200: json(z.object({ received: z.literal(true) })) },
  origin: 'project',
});

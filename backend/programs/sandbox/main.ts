import { join } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';
import { Command, Option, readOptions, wholeNumber } from '../../foundation/platform/command-line.ts';
import { endInOneLine } from '../../foundation/platform/start.ts';
import { startCardGatewaySandbox } from './card-gateway/server.ts';
import { startLightningNodeSandbox } from './lightning-node/server.ts';
import { startMailboxSandbox } from './mailbox/server.ts';
import { startRatesSandbox } from './rates/server.ts';

const options = readOptions(
  new Command('npm run sandbox --')
    .description('All sandboxes of external services, on 127.0.0.1.')
    .addOption(
      new Option(
        '--port-base <n>',
        'card gateway on n+3, its control interface on n+13; Lightning node on n+4, its control interface on n+14; mailbox on n+5, its SMTP on n+15; exchange rates on n+6; 0 for free ports',
      )
        .env('PORT_BASE')
        .default('4100'),
    )
    .option('--data <dir>', 'folder of their databases', '.florin')
    .option('--settle-hour <h>', 'hour of the daily settlement run, UTC; "never" settles on demand only', '23')
    .option('--json', 'one line of JSON when ready'),
  z.object({
    portBase: z.union([z.literal('0').transform(Number), wholeNumber({ least: 1024, most: 65_000 })], {
      error: 'must be a whole number from 1024 to 65000, or 0',
    }),
    data: z.string().min(1),
    settleHour: z.union([z.literal('never').transform(() => undefined), wholeNumber({ least: 0, most: 23 })], {
      error: 'must be 0 to 23, or never',
    }),
    json: z.boolean().default(false),
  }),
);

type Sandbox = { readonly name: string; readonly addresses: Record<string, string>; close(): Promise<void> };

await run().catch(endInOneLine);

async function run(): Promise<void> {
  process.umask(0o077);
  makeFolder(options.data);
  const sandboxes: readonly Sandbox[] = [await cardGateway(), await lightningNode(), await mailbox(), await rates()];
  const addresses = Object.fromEntries(sandboxes.map(one => [one.name, one.addresses]));
  if (options.json) console.log(JSON.stringify({ ready: true, sandboxes: addresses }));
  else for (const one of sandboxes) console.log(`${one.name}: ${JSON.stringify(one.addresses)}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void Promise.all(sandboxes.map(one => one.close())).then(() => process.exit(0));
    });
  }
}

function portAt(offset: number): number {
  return options.portBase === 0 ? 0 : options.portBase + offset;
}

async function mailbox(): Promise<Sandbox> {
  const sandbox = await startMailboxSandbox({ port: portAt(5), smtpPort: portAt(15) });
  const { url, smtpUrl } = sandbox;
  return { name: 'mailbox', addresses: { url, smtpUrl }, close: () => sandbox.close() };
}

async function lightningNode(): Promise<Sandbox> {
  const sandbox = await startLightningNodeSandbox({
    file: join(options.data, 'lightning-node-sandbox.sqlite'),
    port: portAt(4),
    controlPort: portAt(14),
  });
  const { url, controlUrl } = sandbox;
  return { name: 'lightning-node', addresses: { url, controlUrl }, close: () => sandbox.close() };
}

async function rates(): Promise<Sandbox> {
  const { urls, close } = await startRatesSandbox({ port: portAt(6) });
  return { name: 'rates', addresses: urls, close };
}

async function cardGateway(): Promise<Sandbox> {
  const sandbox = await startCardGatewaySandbox({
    file: join(options.data, 'card-gateway-sandbox.sqlite'),
    port: portAt(3),
    controlPort: portAt(13),
    ...(options.settleHour === undefined ? {} : { settleDailyAtHourUtc: options.settleHour }),
  });
  const { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl } = sandbox;
  return {
    name: 'card-gateway',
    addresses: { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl },
    close: () => sandbox.close(),
  };
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, refuse } from '../platform/command-line.ts';
import { startCardGatewaySandbox } from './card-gateway/server.ts';

const usage = `Usage: npm run sandbox -- [options]

All sandboxes of the outside world, on 127.0.0.1.

  --port-base N   card gateway on N+3, its control interface on N+13 (default: PORT_BASE or 4100)
  --data DIR      where their books are kept (default .florin)
  --json          one line of JSON when ready
  --help          this text`;

type Sandbox = { readonly name: string; readonly addresses: Record<string, string>; close(): Promise<void> };

const values = commandLine(usage, {
  'port-base': { type: 'string', default: process.env.PORT_BASE ?? '4100' },
  data: { type: 'string', default: '.florin' },
  json: { type: 'boolean', default: false },
});
await run(Number(values['port-base']));

async function run(portBase: number): Promise<void> {
  if (!Number.isInteger(portBase) || portBase < 1024 || portBase > 65000)
    refuse(usage, '--port-base must be 1024 to 65000');
  mkdirSync(values.data, { recursive: true });
  const sandboxes: readonly Sandbox[] = [await cardGateway(portBase, values.data)];
  const addresses = Object.fromEntries(sandboxes.map(one => [one.name, one.addresses]));
  if (values.json) console.log(JSON.stringify({ ready: true, sandboxes: addresses }));
  else for (const one of sandboxes) console.log(`${one.name}: ${JSON.stringify(one.addresses)}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void Promise.all(sandboxes.map(one => one.close())).then(() => process.exit(0));
    });
  }
}

async function cardGateway(portBase: number, data: string): Promise<Sandbox> {
  const sandbox = await startCardGatewaySandbox({
    file: join(data, 'card-gateway-sandbox.sqlite'),
    port: portBase + 3,
    controlPort: portBase + 13,
    settleDailyAtHourUtc: 23,
  });
  const { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl } = sandbox;
  return {
    name: 'card-gateway',
    addresses: { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl },
    close: () => sandbox.close(),
  };
}

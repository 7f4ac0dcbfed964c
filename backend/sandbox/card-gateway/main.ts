import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, refuse } from '../../platform/command-line.ts';
import { startCardGatewaySandbox } from './server.ts';

const usage = `Card gateway sandbox: speaks Cardstream's Direct interface on 127.0.0.1, with books of its own.

  --port N           money port (default 4103)
  --control-port N   port of the control interface (default: money port + 10)
  --data DIR         where the books are kept (default .florin)
  --settle-hour H    hour of the daily settlement run, UTC (default 23; "never" settles on demand only)
  --json             one line of JSON when ready
  --help             this text`;

const values = commandLine(usage, {
  port: { type: 'string', default: '4103' },
  'control-port': { type: 'string' },
  data: { type: 'string', default: '.florin' },
  'settle-hour': { type: 'string', default: '23' },
  json: { type: 'boolean', default: false },
});
await run();

async function run(): Promise<void> {
  const port = portOf(values.port, '--port');
  const controlPort =
    values['control-port'] === undefined
      ? port === 0
        ? 0
        : port + 10
      : portOf(values['control-port'], '--control-port');
  const settleHour = values['settle-hour'] === 'never' ? undefined : hourOf(values['settle-hour']);
  mkdirSync(values.data, { recursive: true });
  const sandbox = await startCardGatewaySandbox({
    file: join(values.data, 'card-gateway-sandbox.sqlite'),
    port,
    controlPort,
    ...(settleHour === undefined ? {} : { settleDailyAtHourUtc: settleHour }),
  });
  const { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl } = sandbox;
  const addresses = { directUrl, cardPresentUrl, restUrl, tokenUrl, controlUrl };
  console.log(
    values.json
      ? JSON.stringify({ ready: true, name: 'card-gateway-sandbox', ...addresses })
      : `Card gateway sandbox is ready: ${directUrl} (control: ${controlUrl}/control/)`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void sandbox.close().then(() => process.exit(0));
    });
  }
}

function portOf(text: string, option: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65535) return port;
  return refuse(usage, `${option} must be a port number, 0 to 65535`);
}

function hourOf(text: string): number {
  const hour = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (hour >= 0 && hour <= 23) return hour;
  return refuse(usage, '--settle-hour must be 0 to 23, or never');
}

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';
import { Command, Option, readOptions, wholeNumber } from '../../foundation/platform/command-line.ts';
import { endInOneLine } from '../../foundation/platform/start.ts';
import { portalFolder } from '../../web/portal/bundle.ts';
import { isTerminalUpToDate } from './built.ts';
import { electronBinary } from './electron.ts';
import { commandFor, type Program, programRunner, quoted, type Running } from './programs.ts';
import {
  enrolmentCode,
  openShop,
  passwordsOf,
  pastInvoices,
  payThroughSandboxNode,
  type Shop,
  takePastSales,
} from './shop.ts';

const options = readOptions(
  new Command('npm start --')
    .description('Runs all of Florin with a demo shop: sandbox gateway, backend, simulated card reader, terminal.')
    .option('--data <dir>', 'where all data is stored; delete it to start over', '.florin')
    .addOption(
      new Option('--reader-protocol <name>', 'what the simulated card reader speaks')
        .choices(['line', 'zvt'])
        .default('line'),
    )
    .option('--verbose', 'show all log lines of every program, not only warnings')
    .addOption(new Option('--port-base <n>', 'first port').env('PORT_BASE').default('4100')),
  z.object({
    data: z.string().min(1),
    readerProtocol: z.enum(['line', 'zvt']),
    verbose: z.boolean().default(false),
    portBase: wholeNumber({ least: 1024, most: 65_000 }),
  }),
);
await run(options).catch(endInOneLine);

type Start = ReturnType<typeof programRunner>['start'];

/** Starts the sandboxes first, then the backend, then reader and terminal. */
async function run(given: typeof options): Promise<void> {
  const { data, verbose } = given;
  process.umask(0o077);
  makeFolder(data);
  const runner = programRunner({
    directory: process.cwd(),
    env: { ...process.env, LOG_LEVEL: verbose ? 'info' : 'warn' },
    print: (name, text) => console.log(`  [${name}] ${text}`),
  });
  let stopping = false;
  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    console.log('\nStopping…');
    await runner.stop();
    process.exit(exitCode);
  };
  process.once('SIGINT', () => void stop(0));
  process.once('SIGTERM', () => void stop(0));
  try {
    const programs = await startAll(runner.start, given);
    await Promise.all(programs.map(async one => reportEnd(one, await one.exited)));
    await stop(1);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    await stop(1);
  }

  /** The other programs keep running, so that the effect can be observed. */
  async function reportEnd({ program }: Running, how: string): Promise<void> {
    if (stopping) return;
    console.error(`\n${program.name} ended (${how}). Start it again in another window with\n  ${commandFor(program)}`);
    // Closing the window stops the demo.
    if (program.executable !== undefined && how === 'exit 0') await stop(0);
  }
}

async function startAll(start: Start, { data, verbose, portBase, readerProtocol }: typeof options): Promise<Running[]> {
  const url = (offset: number) => `http://127.0.0.1:${portBase + offset}`;
  print('Building the terminal’s screens and the portal');
  await buildScreens();
  await portalFolder();
  print('Starting the sandbox card gateway, Lightning node and mailbox');
  const { sandbox, gateway } = await startSandbox(start, { data, portBase });
  print('Opening the demo shop');
  const admin = { data, env: { ...process.env, OUTBOUND_ALLOW_LOOPBACK: 'true' } };
  const opened = await openShop(admin);
  await payThroughSandboxNode(admin, opened, url(14));
  print('Starting the backend');
  const backend = await start(backendProgram({ data, portBase }));
  const shop = await takePastSales({ ...gateway, data, shop: opened, backendUrl: url(0) });
  print('Plugging in the card reader and the receipt printer');
  const reader = await start(
    readerProgram({ data, portBase, readerProtocol, bankUrl: gateway.controlUrl, nodeUrl: url(14) }),
  );
  print('Starting the terminal');
  const readerPaths = z.array(z.string()).parse(reader.ready.paths);
  const terminal = await startTerminal({
    start,
    data,
    verbose,
    portBase,
    readerProtocol,
    readerPaths,
    serviceUrl: url(0),
  });
  const code = await enrolmentCode({ data, env: process.env }, shop);
  console.log(
    welcome({
      staff: await passwordsOf({ data, env: process.env }, shop),
      portalUsers: shop.portalUsers,
      apiKey: shop.apiKey,
      code,
      terminal: terminal.where,
      reader: String(reader.ready.url),
      backend: url(0),
      bank: gateway.controlUrl,
      mailbox: url(5),
      wallet: url(14),
      businessId: shop.businessId,
      terminalId: shop.terminalId,
      backendPid: backend.pid,
      terminalPid: terminal.running.pid,
      admin: adminLine({ data, portBase }),
    }),
  );
  return [sandbox, backend, reader, terminal.running];
}

async function startSandbox(start: Start, { data, portBase }: { data: string; portBase: number }) {
  const sandbox = await start({
    name: 'sandbox',
    script: 'sandbox',
    command: ['backend/programs/sandbox/main.ts', '--port-base', String(portBase), '--data', data, '--json'],
  });
  const gateway = z
    .object({ tokenUrl: z.string(), controlUrl: z.string() })
    .parse((sandbox.ready.sandboxes as Record<string, unknown>)['card-gateway']);
  return { sandbox, gateway };
}

function readerProgram({
  data,
  portBase,
  readerProtocol,
  bankUrl,
  nodeUrl,
}: Pick<typeof options, 'data' | 'portBase' | 'readerProtocol'> & { bankUrl: string; nodeUrl: string }): Program {
  const addresses = [
    '--link',
    join(data, 'reader'),
    '--http',
    `127.0.0.1:${portBase + 2}`,
    '--bank',
    bankUrl,
    '--node',
    nodeUrl,
  ];
  return {
    name: 'reader',
    script: 'hardware-sim',
    command: [
      'hardware-sim/cli.ts',
      '--protocol',
      readerProtocol,
      ...addresses,
      '--printer',
      join(data, 'printer'),
      '--data',
      data,
    ],
  };
}

/** The `npm run admin` line with the flags that find this demo. */
function adminLine({ data, portBase }: { data: string; portBase: number }) {
  return (words: string, needs: 'data' | 'portBase') => {
    const flag = {
      data: data === '.florin' ? '' : ` --data ${quoted(data)}`,
      portBase: portBase === 4100 ? '' : ` --port-base ${portBase}`,
    };
    return `npm run admin -- ${words}${flag[needs]}`;
  };
}

function print(what: string): void {
  console.log(`• ${what}`);
}

function backendProgram({ data, portBase }: { data: string; portBase: number }): Program {
  return {
    name: 'backend',
    script: 'backend',
    command: ['backend/main.ts', '--port', String(portBase), '--data', data],
    env: {
      // Settles sales within seconds instead of minutes.
      SETTLEMENT_POLL_SECONDS: '2',
      OUTBOUND_ALLOW_LOOPBACK: 'true',
      SMTP_URL: `smtp://127.0.0.1:${portBase + 15}`,
      GATEWAY_URL: `http://127.0.0.1:${portBase + 3}`,
      GATEWAY_CARD_PRESENT_URL: `http://127.0.0.1:${portBase + 3}/card-present`,
      RATE_SOURCES: ['kraken', 'coinbase', 'bitstamp']
        .map(kind => `${kind}=http://127.0.0.1:${portBase + 6}/${kind}`)
        .join(','),
    },
  };
}

/** Rebuilds outdated screens, which could not show what a newer terminal sends. */
async function buildScreens(): Promise<void> {
  if (!isTerminalUpToDate('device/renderer/dist/index.html')) {
    await runTool('vite', 'bin/vite.js', 'build', '--config', 'renderer/vite.config.ts', '--logLevel', 'warn');
  }
  if (electronBinary() !== undefined && !isTerminalUpToDate('device/out/main/main.mjs')) {
    await runTool('electron-vite', 'bin/electron-vite.js', 'build');
  }
}

async function runTool(name: string, entry: string, ...args: string[]): Promise<void> {
  const folder = dirname(createRequire(join(process.cwd(), 'device/package.json')).resolve(`${name}/package.json`));
  await promisify(execFile)(process.execPath, [join(folder, entry), ...args], { cwd: 'device' });
}

/** The Electron window if its binary is installed, otherwise the same terminal in a browser. */
async function startTerminal(options: {
  start: Start;
  data: string;
  verbose: boolean;
  portBase: number;
  readerProtocol: string;
  readerPaths: readonly string[];
  serviceUrl: string;
}): Promise<{ running: Running; where: string }> {
  const { data, verbose, portBase, readerProtocol, readerPaths, serviceUrl } = options;
  // The second path is used when the reader's cable is plugged in elsewhere.
  const readers = ['--reader-protocol', readerProtocol, ...readerPaths.flatMap(path => ['--reader', resolve(path)])];
  const printer = ['--printer', resolve(data, 'printer')];
  const own = ['--service', serviceUrl, '--data', resolve(data, 'terminal'), ...readers, ...printer];
  const executable = electronBinary();
  if (executable !== undefined) {
    return {
      running: await options.start({ name: 'terminal', script: 'terminal', executable, command: ['device', ...own] }),
      where: 'in its own window',
    };
  }
  const port = ['--port', String(portBase + 1)];
  const running = await options.start({
    name: 'terminal',
    script: 'terminal',
    command: ['device/main/browser/main.ts', ...own, ...port, ...(verbose ? [] : ['--quiet']), '--json'],
  });
  return {
    running,
    where: `${String(running.ready.url)}\n                  (Electron's window is not installed here, so the terminal is shown in a browser)\n                  For customers, on a second screen: ${String(running.ready.displayUrl)}`,
  };
}

function welcome(at: {
  staff: Awaited<ReturnType<typeof passwordsOf>>;
  portalUsers: Shop['portalUsers'];
  apiKey: string;
  code: string;
  terminal: string;
  reader: string;
  backend: string;
  bank: string;
  mailbox: string;
  wallet: string;
  businessId: string;
  terminalId: string;
  backendPid: number | undefined;
  terminalPid: number | undefined;
  admin: ReturnType<typeof adminLine>;
}): string {
  const staff = at.staff.map(
    ({ number, name, temporaryPassword, about }) =>
      `    ${number}  ${name.padEnd(14)} ${temporaryPassword === undefined ? 'own password'.padEnd(33) : `temporary password ${temporaryPassword}`}   ${about}`,
  );
  const people = at.portalUsers.map(
    ({ email, role, password }) => `    ${role.padEnd(8)} ${email.padEnd(24)} ${password}`,
  );
  return `
Florin is running.

  Terminal        ${at.terminal}
  Card reader     ${at.reader}
  Receipt printer ${at.reader}/printer
  Portal          ${at.backend}/portal
  Backend         ${at.backend}   (for your own software: ${at.backend}/api/v1/docs and ${at.backend}/kiosk/v1/docs)
  Sandbox bank    ${at.bank}   (what it says, settles and gets wrong)
  Sandbox wallet  ${at.wallet}   (pays what a bitcoin page shows, mines blocks, gets things wrong)
  Mailbox         ${at.mailbox}   (e-mails that would have been sent)

  Enrolment code  ${at.code}   (if the terminal asks; works once, for 15 minutes)
  API key         ${at.apiKey}
  Past payments   ${pastInvoices}, by payment link (the terminal's first sale gets the next number)

  Users of the portal:
${people.join('\n')}

  Staff who void and refund (each chooses their own password at first use):
${staff.join('\n')}

  Settle today’s sales, so that they can be refunded:   ${at.admin('sandbox settle', 'portBase')}
  Verify the audit log:                                 ${at.admin(`audit verify --business ${at.businessId}`, 'data')}
  Make a key for a kiosk on this terminal:              ${at.admin(`kiosk-key create --business ${at.businessId} --name Kiosk --terminals ${at.terminalId}`, 'data')}
  See the terminal without its backend:                 kill ${at.backendPid}
  Cut the terminal's power in the middle of a sale:     kill -9 ${at.terminalPid}
  Ctrl-C stops everything.
`;
}

import { makeFolder } from '@florin/shared/files/folder.ts';
import { z } from 'zod';
import { readSettings } from './config/settings.ts';
import { Command, readOptions } from './foundation/platform/command-line.ts';
import { createLog } from './foundation/platform/log.ts';
import { endInOneLine } from './foundation/platform/start.ts';
import { startServer } from './server.ts';

const options = readOptions(
  new Command('npm run backend --')
    .option('--role <role>', 'what this process does: all, api or worker (ROLE, default all)')
    .option('--host <address>', 'address to listen on (HOST, default 127.0.0.1)')
    .option('--port <number>', '0 for any free port (PORT, default 4100)')
    .option('--data <dir>', 'folder of the SQLite file (DATA, default .florin)')
    .addHelpText(
      'after',
      `
DATABASE_URL=postgres://… uses PostgreSQL instead of SQLite; any number of processes may share it.
Every other setting is an environment variable: see backend/README.md.`,
    ),
  z.object({
    role: z.string().optional(),
    host: z.string().optional(),
    port: z.string().optional(),
    data: z.string().optional(),
  }),
);
const read = readSettings(process.env, {
  ROLE: options.role,
  HOST: options.host,
  PORT: options.port,
  DATA: options.data,
});
if (read.ok) void run(read.settings).catch(endInOneLine);
else {
  console.error(`Florin cannot start:\n${read.problems.map(problem => `  ${problem}`).join('\n')}`);
  process.exitCode = 2;
}

/** Longer than a proxy takes to see that `/readyz` refuses. */
const drainMs = 3_000;

async function run(settings: Parameters<typeof startServer>[0]['settings']): Promise<void> {
  process.umask(0o077);
  if (settings.databaseUrl === undefined) makeFolder(settings.data);
  const log = createLog({ level: settings.logLevel });
  const server = await startServer({ settings, log });
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping after requests in progress have finished');
    const isBehindProxy = settings.trustedProxies.length > 0;
    await server.stop({ drainMs: isBehindProxy && signal === 'SIGTERM' ? drainMs : 0 });
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  // One line for programs and people: the process that starts this one waits for it.
  console.log(JSON.stringify({ ready: true, name: 'backend', role: settings.role, url: server.url }));
}

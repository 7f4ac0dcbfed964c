import { backendUsage, readCommandLine, readSettings } from './config/settings.ts';
import { createLog } from './platform/log.ts';
import { startServer } from './server.ts';

const line = readCommandLine(process.argv.slice(2));
if (line.kind === 'help') {
  console.log(backendUsage);
} else if (line.kind === 'wrong') {
  giveUp([line.problem]);
} else {
  const read = readSettings(process.env, line.overrides);
  if (read.ok) void run(read.settings);
  else giveUp(read.problems);
}

async function run(settings: Parameters<typeof startServer>[0]['settings']): Promise<void> {
  const log = createLog({ level: settings.logLevel });
  const server = await startServer({ settings, log }).catch((error: unknown) => {
    log.error({ err: error }, 'the backend could not start');
    process.exit(1);
  });
  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping: requests under way are finished first');
    await server.stop();
  };
  process.once('SIGTERM', () => void stop('SIGTERM'));
  process.once('SIGINT', () => void stop('SIGINT'));
  // One line that programs and people can both read: whoever starts this waits for it, and may stop it from then on.
  console.log(JSON.stringify({ ready: true, name: 'backend', role: settings.role, url: server.url }));
}

function giveUp(problems: readonly string[]): void {
  console.error(`Florin cannot start:\n${problems.map(problem => `  ${problem}`).join('\n')}`);
  process.exitCode = 2;
}

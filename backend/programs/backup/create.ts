import { createHash, hkdfSync } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileReason } from '@florin/shared/files/reason.ts';
import type { Clock } from '@florin/shared/ports.ts';
import { databaseFile } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import type { Snapshot } from '../../foundation/database/snapshot.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import { inEarlierSchema, type LeftOut, nothingLeftOut } from './earlier.ts';
import { type BackupHeader, type BackupManifest, tableSums, writeBackup } from './file.ts';
import { areKeysOf } from './key.ts';
import { BackupProblem, refuseDisorder } from './problem.ts';

/** Names a secrets key without telling anything about it. */
export function secretsKeyId(key: Uint8Array): string {
  return createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', key, '', 'florin backup key id', 32)))
    .digest('hex')
    .slice(0, 16);
}

type Place = Pick<Settings, 'data' | 'secretsKey' | 'databaseUrl' | 'databaseDirectUrl'>;

/** Opens a snapshot of the database of these settings. @throws BackupProblem if there is none, or one that must not be served is */
async function snapshotOf(settings: Place, { mayBeServed }: { mayBeServed: boolean }): Promise<Snapshot> {
  const stillServed = () =>
    new BackupProblem(
      'The service runs on this database, and what it writes from now on would be missing: stop every process first',
    );
  if (settings.databaseUrl !== undefined) {
    const { isServed, postgresSnapshot } = await import('../../foundation/database/postgres-snapshot.ts');
    if (!mayBeServed && (await isServed(settings.databaseDirectUrl ?? settings.databaseUrl))) throw stillServed();
    return postgresSnapshot(settings.databaseUrl);
  }
  const file = databaseFile(settings);
  if (!existsSync(file))
    throw new BackupProblem(`There is no database in ${settings.data}: name its folder with --data`);
  const { isOpenElsewhere, sqliteSnapshot } = await import('../../foundation/database/sqlite-snapshot.ts');
  if (!mayBeServed && isOpenElsewhere(file)) throw stillServed();
  return sqliteSnapshot(file);
}

export type BackupOptions = {
  readonly settings: Place;
  readonly secretsKeys: SecretsKeys;
  readonly withSecretsKey: boolean;
  /** Where it is written; a file of this name must not exist. */
  readonly file: string;
  readonly passphrase: string | undefined;
  /** The earlier schema that it is for, to go back to the version that made it; then no process may serve the database. */
  readonly forSchema?: string | undefined;
  readonly clock: Clock;
};

/** What a backup contains. `bytes` is the size of the file. */
export type BackupSummary = {
  readonly header: Omit<BackupHeader, 'secretsKey'>;
  readonly manifest: BackupManifest;
  readonly bytes: number;
  /** What is not in it, because the schema that it is for has no place for it. */
  readonly leftOut: LeftOut;
};

/**
 * Writes every row of the database as of one moment into a new file, while the service is running. The file has its
 * name only once it is whole and on disk. For an earlier schema it leaves out what that has no place for.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { settings, file, forSchema } = options;
  if (existsSync(file)) throw new BackupProblem(`${file} exists: a backup is never overwritten`);
  const whole = await snapshotOf(settings, { mayBeServed: forSchema === undefined });
  try {
    refuseDisorder('The database', whole.migrations);
    await refuseOtherKey(whole, options);
    if (forSchema === undefined) return { ...(await writeSnapshot(whole, options)), leftOut: nothingLeftOut };
    const { earlier, leftOut } = await inEarlierSchema(whole, forSchema);
    return { ...(await writeSnapshot(earlier, options)), leftOut };
  } finally {
    await whole.close();
  }
}

/** A backup names the key that it needs: it must be the one of these records. */
async function refuseOtherKey(snapshot: Snapshot, { settings, secretsKeys }: BackupOptions): Promise<void> {
  if (await areKeysOf(snapshot, secretsKeys)) return;
  const where = settings.secretsKey ? 'SECRETS_KEY' : join(settings.data, 'secrets.key');
  throw new BackupProblem(
    `The key in ${where} is not the one of these records, and a backup would be of no use without that one: put the right key there, from its copy or from a folder into which a backup with the key was restored`,
  );
}

async function writeSnapshot(snapshot: Snapshot, options: BackupOptions): Promise<Omit<BackupSummary, 'leftOut'>> {
  const { settings, secretsKeys, withSecretsKey, file, passphrase, clock } = options;
  const secretsKey = secretsKeys.current;
  const header: BackupHeader = {
    format: 'florin-backup-1',
    createdAt: new Date(clock.now()).toISOString(),
    engine: settings.databaseUrl === undefined ? 'sqlite' : 'postgres',
    migrations: [...snapshot.migrations],
    secretsKeyId: secretsKeyId(secretsKey),
  };
  let manifest: BackupManifest | undefined;
  async function* lines(): AsyncGenerator<string> {
    const key = withSecretsKey ? { secretsKey: Buffer.from(secretsKey).toString('base64') } : {};
    yield JSON.stringify({ ...header, ...key });
    manifest = yield* rowsOf(snapshot);
    yield JSON.stringify(manifest);
  }
  const partial = `${file}.partial`;
  try {
    await writeBackup(partial, lines(), passphrase);
    renameSync(partial, file);
  } catch (error) {
    if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory())
      throw new BackupProblem(`There is no folder ${dirname(file)}: make it, or choose another --file`);
    rmSync(partial, { force: true });
    const reason = fileReason(error);
    if (reason !== undefined) throw new BackupProblem(`${file} cannot be written: ${reason}`, { cause: error });
    throw error;
  }
  if (!manifest) throw new Error('the backup has no end');
  return { header, manifest, bytes: statSync(file).size };
}

/** The lines of all tables; returns the manifest. */
async function* rowsOf(snapshot: Snapshot): AsyncGenerator<string, BackupManifest> {
  const sums = tableSums();
  const auditHeads: BackupManifest['auditHeads'] = [];
  for (const table of snapshot.tables) {
    const { name, columns } = table;
    sums.begin(name);
    yield JSON.stringify({ table: name, columns });
    for await (const row of snapshot.rows(table)) {
      const line = JSON.stringify(row);
      sums.add(name, line);
      if (name === 'auditChains') {
        const of = (column: string) => row[columns.indexOf(column)];
        auditHeads.push({
          businessId: String(of('businessId')),
          sequence: Number(of('sequence')),
          hash: String(of('hash')),
        });
      }
      yield line;
    }
  }
  return { end: true, tables: sums.all(), auditHeads };
}

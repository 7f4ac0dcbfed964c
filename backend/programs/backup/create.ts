import { createHash, hkdfSync } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Clock } from '@florin/shared/ports.ts';
import { databaseFile } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import type { Snapshot } from '../../foundation/database/snapshot.ts';
import { type BackupHeader, type BackupManifest, tableSums, writeBackup } from './file.ts';
import { BackupProblem } from './problem.ts';

/** Names a secrets key without telling anything about it. */
export function secretsKeyId(key: Uint8Array): string {
  return createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', key, '', 'florin backup key id', 32)))
    .digest('hex')
    .slice(0, 16);
}

/** Opens a snapshot of the database of these settings. @throws BackupProblem if there is none */
async function snapshotOf(settings: Pick<Settings, 'data' | 'databaseUrl'>): Promise<Snapshot> {
  if (settings.databaseUrl !== undefined) {
    const { postgresSnapshot } = await import('../../foundation/database/postgres-snapshot.ts');
    return postgresSnapshot(settings.databaseUrl);
  }
  const file = databaseFile(settings);
  if (!existsSync(file))
    throw new BackupProblem(`There is no database in ${settings.data}: name its folder with --data`);
  const { sqliteSnapshot } = await import('../../foundation/database/sqlite-snapshot.ts');
  return sqliteSnapshot(file);
}

export type BackupOptions = {
  readonly settings: Pick<Settings, 'data' | 'databaseUrl'>;
  readonly secretsKey: Uint8Array;
  readonly withSecretsKey: boolean;
  /** Where it is written; a file of this name must not exist. */
  readonly file: string;
  readonly passphrase: string | undefined;
  readonly clock: Clock;
};

/** What a backup contains. `bytes` is the size of the file. */
export type BackupSummary = {
  readonly header: Omit<BackupHeader, 'secretsKey'>;
  readonly manifest: BackupManifest;
  readonly bytes: number;
};

/**
 * Writes every row of the database as of one moment into a new file, while the service is running. The file has its
 * name only once it is whole and on disk.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { settings, secretsKey, withSecretsKey, file, passphrase, clock } = options;
  if (existsSync(file)) throw new BackupProblem(`${file} exists: a backup is never overwritten`);
  const snapshot = await snapshotOf(settings);
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
    rmSync(partial, { force: true });
    throw error;
  } finally {
    await snapshot.close();
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

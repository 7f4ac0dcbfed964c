import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '@florin/shared/files/folder.ts';
import { fileReason } from '@florin/shared/files/reason.ts';
import { databaseFile, openBackend } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { numbersGiven } from '../../foundation/database/counters.ts';
import { releasedMigrations } from '../../foundation/database/migrations/migrate.ts';
import { type Load, PlaceNotEmpty } from '../../foundation/database/snapshot.ts';
import { sqliteLoad } from '../../foundation/database/sqlite-snapshot.ts';
import { createLog } from '../../foundation/platform/log.ts';
import { systemRandom } from '../../foundation/platform/system.ts';
import { writeProblem } from '../../foundation/platform/write-problem.ts';
import type { SecretsKeys } from '../../foundation/secrets/keys.ts';
import { invoiceNumberOf } from '../../money/payments/invoice-number.ts';
import { secretsKeyId } from './create.ts';
import { type BackupHeader, type BackupManifest, readBackup } from './file.ts';
import { BackupProblem, refuseDisorder } from './problem.ts';
import { type Check, checksOf } from './proof.ts';

export type RestoreOptions = {
  readonly settings: Settings;
  readonly file: string;
  readonly passphrase: string | undefined;
};

/** What a backup was found to be. `hasKey`: whether its secrets key is in it or configured here. */
export type Verified = {
  readonly header: Omit<BackupHeader, 'secretsKey'>;
  readonly manifest: BackupManifest;
  readonly checks: readonly Check[];
  readonly hasKey: boolean;
  /** The next invoice number of each business. It and those after it may have been given out since the backup. */
  readonly nextInvoiceNumbers: Readonly<Record<string, string>>;
};

type Proven = Verified & {
  /** A database file with everything in it, at this version's schema; removed after use. */
  readonly database: string;
  readonly keys: SecretsKeys | undefined;
};

/**
 * Restores a backup into a database of its own, checks it there, and removes it again.
 * @throws BackupProblem if it cannot be restored
 */
export async function verifyBackup(options: RestoreOptions): Promise<Verified> {
  return inScratch(options, async ({ database: _database, keys: _keys, ...verified }) => verified);
}

/**
 * Restores a backup into an empty place: a folder without a database, or a PostgreSQL database without tables. It is
 * checked before anything of it is there, so a backup that is refused leaves the place as it was.
 * @throws BackupProblem with what is in the way
 */
export async function restoreBackup(options: RestoreOptions): Promise<Verified> {
  const { settings, file, passphrase } = options;
  refuseUsedPlace(settings);
  return inScratch(options, async ({ database, keys, ...proven }) => {
    const failed = proven.checks.filter(({ problem }) => problem !== null);
    if (failed.length > 0)
      throw new BackupProblem(
        `The backup is not restored: ${failed.map(({ name, problem }) => `${name}: ${problem}`).join('; ')}`,
      );
    if (!keys)
      throw new BackupProblem(
        `The backup needs the secrets key ${proven.header.secretsKeyId}: set SECRETS_KEY to it, or copy the key file to ${keyFile(settings)}`,
      );
    if (settings.databaseUrl === undefined) moveInto(settings.data, database);
    else {
      const { postgresLoad } = await import('../../foundation/database/postgres-snapshot.ts');
      const { databaseUrl } = settings;
      await filled(readBackup(file, passphrase), migrations => postgresLoad(databaseUrl, migrations));
    }
    if (settings.secretsKey === undefined && !existsSync(keyFile(settings))) writeKey(settings, keys.current);
    return proven;
  });
}

/** The database was closed, so this one file is all of it. The name is on disk when this returns. */
function moveInto(folder: string, database: string): void {
  renameSync(database, databaseFile({ data: folder }));
  const directory = openSync(folder, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

function refuseUsedPlace(settings: Settings): void {
  if (settings.databaseUrl === undefined && existsSync(databaseFile(settings)))
    throw new BackupProblem(
      `There is a database in ${settings.data}: a backup is only restored into an empty place. Name another folder with --data, or move that database away with every backend on it stopped`,
    );
}

async function inScratch<Value>(options: RestoreOptions, use: (proven: Proven) => Promise<Value>): Promise<Value> {
  const { settings, file, passphrase } = options;
  // In the data folder: on the same file system, and as private as what will be there.
  const made = makeFolder(settings.data);
  const folder = scratchIn(settings.data);
  try {
    const database = databaseFile({ data: folder });
    const { header, manifest } = await filled(readBackup(file, passphrase), names => sqliteLoad(database, names));
    const { secretsKey: _, ...shown } = header;
    const keys = keysFor(header, settings);
    const found = await examined({ settings, folder, keys, manifest });
    return await use({ header: shown, manifest, ...found, hasKey: keys !== undefined, database, keys });
  } catch (error) {
    throw plain(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (made !== undefined) removeEmpty(resolve(settings.data), made);
  }
}

/** How the folder of a restore begins; a killed one leaves it. */
export const scratchPrefix = 'restoring-';

function scratchIn(data: string): string {
  try {
    return mkdtempSync(join(data, scratchPrefix));
  } catch (error) {
    const problem = writeProblem(data);
    const says = problem?.says ?? `Nothing can be written in ${data}: ${fileReason(error) ?? String(error)}`;
    throw new BackupProblem(`${says}. ${problem?.todo ?? 'Name another folder with --data'}`, { cause: error });
  }
}

/** Removes a folder and those above it up to `first`, unless something is in them. */
function removeEmpty(folder: string, first: string): void {
  if (readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  if (folder !== first) removeEmpty(dirname(folder), first);
}

/** Opens the database of this folder as this version of the service does, which migrates it, and checks its records. */
async function examined(options: {
  readonly settings: Settings;
  readonly folder: string;
  readonly keys: SecretsKeys | undefined;
  readonly manifest: BackupManifest;
}): Promise<Pick<Verified, 'checks' | 'nextInvoiceNumbers'>> {
  const { folder, keys, manifest } = options;
  const settings: Settings = {
    ...options.settings,
    data: folder,
    databaseUrl: undefined,
    metrics: undefined,
    // Without its key it is looked at with one that opens nothing.
    secretsKey: Buffer.from(keys?.current ?? systemRandom.bytes(32)),
  };
  const backend = await openBackend({ settings, log: createLog({ level: 'error' }), publicUrl: 'http://127.0.0.1' });
  try {
    const nextInvoiceNumbers: Record<string, string> = {};
    for (const { id } of await backend.services.businesses.list())
      nextInvoiceNumbers[id] = invoiceNumberOf(1 + (await numbersGiven(backend.database, id, 'invoice')));
    return { checks: await checksOf(backend, manifest.auditHeads, keys !== undefined), nextInvoiceNumbers };
  } finally {
    await backend.close();
  }
}

/** Loads a whole backup; nothing of it is kept unless all of it was read and proven. */
async function filled(
  parts: ReturnType<typeof readBackup>,
  open: (migrations: readonly string[]) => Promise<Load>,
): Promise<{ header: BackupHeader; manifest: BackupManifest }> {
  const first = await parts.next();
  if (first.done || first.value.kind !== 'header') throw new Error('a backup begins with its header');
  const { header } = first.value;
  refuseNewerSchema(header);
  const load = await open(header.migrations);
  try {
    for await (const part of parts) {
      if (part.kind === 'rows') await load.insert(part.table, part.rows);
      if (part.kind !== 'end') continue;
      await load.commit();
      return { header, manifest: part.manifest };
    }
    throw new Error('a backup ends with its manifest');
  } catch (error) {
    await load.abandon();
    throw error;
  }
}

function refuseNewerSchema({ migrations }: BackupHeader): void {
  const known = Object.keys(releasedMigrations('sqlite'));
  const unknown = migrations.filter(name => !known.includes(name));
  if (unknown.length > 0)
    throw new BackupProblem(
      `The backup is of another version of Florin (${unknown.join(', ')}), most likely a newer one: restore it with that version`,
    );
  refuseDisorder('The database of this backup', migrations);
}

/** The keys to open this backup with; undefined if the one that it was made under is neither in it nor configured here. */
function keysFor(header: BackupHeader, settings: Settings): SecretsKeys | undefined {
  const file = keyFile(settings);
  const accepted = settings.acceptedSecretsKey;
  const configured =
    settings.secretsKey ?? (existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : undefined);
  const inHeader = header.secretsKey === undefined ? undefined : Buffer.from(header.secretsKey, 'base64');
  const isItsKey = (key: Uint8Array | undefined) => key !== undefined && secretsKeyId(key) === header.secretsKeyId;
  const key = [configured, accepted, inHeader].find(isItsKey);
  if (!key) return undefined;
  if (configured && key === inHeader)
    throw new BackupProblem(
      `Another secrets key is configured here (${settings.secretsKey ? 'SECRETS_KEY' : file}) than the one of the backup, ${header.secretsKeyId}`,
    );
  return { current: configured ?? key, accepted };
}

function keyFile({ data }: Pick<Settings, 'data'>): string {
  return join(data, 'secrets.key');
}

function writeKey(settings: Settings, key: Uint8Array): void {
  writeFileSync(keyFile(settings), `${Buffer.from(key).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
}

function plain(error: unknown): unknown {
  if (!(error instanceof PlaceNotEmpty)) return error;
  return new BackupProblem(`A backup is only restored into an empty place: ${error.message}`, { cause: error });
}

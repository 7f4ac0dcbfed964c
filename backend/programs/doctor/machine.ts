import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem, folderProblem } from '@florin/shared/files/reason.ts';
import { databaseFile } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { rightsProblem } from '../../foundation/database/sqlite-rights.ts';
import { type DatabaseState, schemaState } from '../../foundation/database/state.ts';
import { roomIn } from '../../foundation/platform/room.ts';
import { scratchPrefix } from '../backup/restoration.ts';
import { type Finding, fine, look, reasonOf, wrong } from './finding.ts';

const mebibyte = 1024 * 1024;
const enoughBytes = 1024 * mebibyte;
const leastBytes = 200 * mebibyte;
/** Has pg_current_xact_id(), on which the outcome of a lost COMMIT rests. */
const leastPostgres = 13;

const nameFolder = 'Name the folder of the data with --data, and run doctor as the user of the service';

/** Where the secrets key is and whether only its owner can read it. */
export function secretsKeyFinding({ secretsKey, data, databaseUrl }: Settings): Finding {
  const check = 'secrets key';
  if (secretsKey) return fine(check, 'SECRETS_KEY is set');
  const file = join(data, 'secrets.key');
  const problem = folderProblem(data) ?? fileProblem(file);
  if (problem !== undefined) return wrong(check, problem, nameFolder);
  if (!existsSync(file))
    return databaseUrl === undefined && !existsSync(databaseFile({ data }))
      ? fine(check, 'There is none yet: the first start makes one')
      : wrong(check, `There is no key in ${data}`, 'Set SECRETS_KEY to the key of this installation, or copy it there');
  if (Buffer.from(readFileSync(file, 'utf8').trim(), 'base64').length !== 32)
    return wrong(check, `${file} holds no key of 32 bytes`, 'Copy the key of this installation there');
  if ((statSync(file).mode & 0o077) !== 0)
    return wrong(check, `Other users of this machine can read ${file}`, `chmod 600 ${file}`);
  if (databaseUrl !== undefined)
    return look(
      check,
      `The key is a file on this machine, ${file}`,
      'Every machine on this database needs the same key: set SECRETS_KEY',
    );
  return fine(check, `${file}, for its owner only. Keep a copy elsewhere`);
}

/** What the database is and whether it takes writes; `state` is undefined if the service makes it at its first start. */
export async function databaseFindings(
  settings: Settings,
): Promise<{ readonly findings: readonly Finding[]; readonly state: DatabaseState | undefined }> {
  const check = 'database';
  const problem =
    settings.databaseUrl === undefined
      ? (folderProblem(settings.data) ?? fileProblem(databaseFile(settings)))
      : undefined;
  if (problem !== undefined) return { findings: [wrong(check, problem, nameFolder)], state: undefined };
  if (settings.databaseUrl === undefined && !existsSync(databaseFile(settings)))
    return {
      findings: [
        look(
          check,
          `There is no database in ${settings.data}`,
          'Name its folder with --data, or begin with business create',
        ),
      ],
      state: undefined,
    };
  const rights = settings.databaseUrl === undefined ? rightsProblem(databaseFile(settings)) : undefined;
  if (rights) return { findings: [wrong(check, rights.says, rights.todo)], state: undefined };
  try {
    const state = await stateOf(settings);
    return { findings: [aboutDatabase(state), ...aboutReaders(settings), aboutSchema(state)], state };
  } catch (error) {
    const todo =
      settings.databaseUrl === undefined
        ? 'Restore a backup, or call whoever keeps this machine: do not delete the file'
        : 'Check DATABASE_URL, the server and the network between';
    return { findings: [wrong(check, `It cannot be opened: ${reasonOf(error)}`, todo)], state: undefined };
  }
}

/** A problem if others can reach the file: what is in it concerns customers. */
function aboutReaders({ data, databaseUrl }: Settings): Finding[] {
  if (databaseUrl !== undefined) return [];
  const file = databaseFile({ data });
  const isOpen = [data, file].every(path => (statSync(path).mode & 0o077) !== 0);
  if (!isOpen) return [];
  return [wrong('database', `Other users of this machine can read ${file}`, `chmod 700 ${data} && chmod 600 ${file}*`)];
}

async function stateOf(settings: Settings): Promise<DatabaseState> {
  if (settings.databaseUrl !== undefined) {
    const { postgresState } = await import('../../foundation/database/postgres-snapshot.ts');
    return postgresState(settings.databaseUrl);
  }
  const { sqliteState } = await import('../../foundation/database/sqlite-snapshot.ts');
  return sqliteState(databaseFile(settings));
}

function aboutDatabase({ version, notWritable, damage, notes }: DatabaseState): Finding {
  const check = 'database';
  const says = [version, ...notes].join('; ');
  if (notWritable !== null)
    return wrong(check, `${version} takes no writes: ${notWritable}`, 'Give this user the right to write');
  if (damage !== null)
    return wrong(check, `${version}: ${damage}`, 'Put it right, or stop the service and restore a backup');
  const [, engine, major] = /^(\w+) (\d+)/.exec(version) ?? [];
  if (engine === 'PostgreSQL' && Number(major) < leastPostgres)
    return wrong(check, `${version} is too old`, `Use PostgreSQL ${leastPostgres} or newer`);
  return fine(check, `${says}; takes writes`);
}

function aboutSchema({ migrations }: DatabaseState): Finding {
  const check = 'schema';
  const last = migrations.at(-1);
  switch (schemaState(migrations)) {
    case 'current':
      return fine(check, `${last}, that of this version`);
    case 'none':
      return fine(check, 'The database is empty: the first start makes the schema');
    case 'older':
      return look(check, `${last}, of an older version`, 'Make a backup; the next start of this version upgrades it');
    case 'disordered':
      return wrong(
        check,
        `${last}, of an unreleased build: its migrations are not in the order of this version’s`,
        'Start the build that made it, or restore a backup of a released version into an empty place',
      );
    case 'newer':
      return wrong(check, `${last}, of a newer version`, 'Start that version, or restore the backup made before it');
  }
}

/** How much room is left where the data is. */
export function diskFinding({ data, databaseUrl }: Settings): Finding {
  return aboutRoom({ ...roomIn(data), holdsData: databaseUrl === undefined });
}

/** What a restore that was killed left. */
export function restoreFindings({ data }: Settings): readonly Finding[] {
  if (!existsSync(data) || folderProblem(data) !== undefined) return [];
  const left = readdirSync(data).filter(name => name.startsWith(scratchPrefix));
  return left.map(name =>
    look(
      'disk',
      `${join(data, name)} is of a backup restore or verify that is running or was ended`,
      `Once none is running: rm -r ${join(data, name)}`,
    ),
  );
}

/** What so much room means. */
export function aboutRoom(room: ReturnType<typeof roomIn> & { readonly holdsData: boolean }): Finding {
  const check = 'disk';
  const { place, freeBytes, sizeBytes, isWritable, holdsData } = room;
  if (!isWritable)
    return wrong(
      check,
      `${place} cannot be written by this user`,
      'Give the user of the service the right to write there; if it is not the folder of the data, set DATA',
    );
  if (sizeBytes === 0)
    return wrong(check, `${place} is not on a disk and holds no files`, 'Set DATA to a folder on a disk');
  const percent = Math.floor((freeBytes / Math.max(1, sizeBytes)) * 100);
  const says = `${Math.floor(freeBytes / mebibyte)} MiB free (${percent} %) at ${place}`;
  const todo = 'Make room: a full disk stops every payment';
  if (freeBytes < leastBytes && holdsData) return wrong(check, says, todo);
  return freeBytes < enoughBytes || percent < 5 ? look(check, says, todo) : fine(check, says);
}

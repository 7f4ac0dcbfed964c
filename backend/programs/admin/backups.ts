import { existsSync, readFileSync } from 'node:fs';
import { fileReason, folderProblem } from '@florin/shared/files/reason.ts';
import { z } from 'zod';
import { databaseFile, secretsKeysOf } from '../../backend.ts';
import type { Settings } from '../../config/settings.ts';
import { systemClock } from '../../foundation/platform/system.ts';
import { SecretsKeyMissing, type SecretsKeys } from '../../foundation/secrets/keys.ts';
import { createBackup, secretsKeyId } from '../backup/create.ts';
import type { LeftOut } from '../backup/earlier.ts';
import { BackupProblem } from '../backup/problem.ts';
import { restoreBackup, type Verified, verifyBackup } from '../backup/restoration.ts';
import { command, done, failed, type Outcome, type Place } from './command.ts';

const minPassphraseLength = 12;
const fileFlag = { about: 'The backup' };
const passphraseFlag = {
  about: `File with the passphrase or key of an encrypted backup, such as \`openssl rand -base64 32\` makes`,
  env: 'BACKUP_PASSPHRASE_FILE',
};
/** Without the line feed that editors add. */
const passphraseFile = z
  .string()
  .transform((path, context) => {
    try {
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      context.addIssue(`cannot be read: ${fileReason(error)}`);
      return z.NEVER;
    }
  })
  .refine(text => text.length >= minPassphraseLength, {
    error: `must hold at least ${minPassphraseLength} characters`,
  })
  .optional();
const file = z.string().min(1, { error: 'must be the path of a file' });

export const backupCreate = command({
  summary: 'Write everything in the database to a new file, while the service runs; encrypted with --passphrase-file',
  flags: {
    file: { about: 'Where to write it' },
    passphraseFile: passphraseFlag,
    withSecretsKey: { about: 'Include SECRETS_KEY; only in an encrypted backup', boolean: true },
    forSchema: { about: 'To go back to an earlier version: the name of its schema; stop the service first' },
  },
  input: z
    .object({
      file,
      passphraseFile,
      withSecretsKey: z.boolean().default(false),
      forSchema: z.string().min(1).optional(),
    })
    .refine(({ passphraseFile, withSecretsKey }) => !withSecretsKey || passphraseFile !== undefined, {
      error: 'is only for an encrypted backup: give --passphrase-file too',
      path: ['withSecretsKey'],
    }),
  needsBackend: false,
  run: (input, _, place) =>
    explained(async () => {
      const settings = settingsOf(place);
      const { header, manifest, bytes, leftOut } = await createBackup({
        settings,
        secretsKeys: secretsKeysFor(settings),
        withSecretsKey: input.withSecretsKey,
        file: input.file,
        passphrase: input.passphraseFile,
        forSchema: input.forSchema,
        clock: systemClock,
      });
      const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
      const isEncrypted = input.passphraseFile !== undefined;
      return done({ file: input.file, bytes, rows, isEncrypted, ...header, ...manifest, leftOut }, [
        `${rows} rows of ${Object.keys(manifest.tables).length} tables written to ${input.file} (${bytes} bytes${isEncrypted ? ', encrypted' : ''})`,
        ...(input.forSchema === undefined ? [] : [lineOfLeftOut(input.forSchema, leftOut)]),
        ...manifest.auditHeads.map(head => `Audit head of ${head.businessId}: ${head.sequence}:${head.hash}`),
        input.withSecretsKey
          ? `The secrets key ${header.secretsKeyId} is in it.`
          : `It needs the secrets key ${header.secretsKeyId}, which is not in it: keep that elsewhere.`,
        ...(settings.acceptedSecretsKey
          ? [
              `Until secrets rotate has ended it also needs ${secretsKeyId(settings.acceptedSecretsKey)}, SECRETS_KEY_ACCEPTED.`,
            ]
          : []),
      ]);
    }),
});

export const backupVerify = command({
  summary: 'Restore a backup into a temporary database and check it there; the service is not touched',
  flags: { file: fileFlag, passphraseFile: passphraseFlag },
  input: z.object({ file, passphraseFile }),
  needsBackend: false,
  run: (input, _, place) =>
    explained(async () => {
      const verified = await verifyBackup({
        settings: settingsOf(place),
        file: input.file,
        passphrase: input.passphraseFile,
      });
      const isWhole = verified.checks.every(({ problem }) => problem === null);
      return { ok: isWhole, json: { file: input.file, ...verified }, lines: linesOf(verified) };
    }),
});

export const backupRestore = command({
  summary: 'Restore a backup into an empty folder or PostgreSQL database, after checking it',
  flags: { file: fileFlag, passphraseFile: passphraseFlag },
  input: z.object({ file, passphraseFile }),
  needsBackend: false,
  run: (input, _, place) =>
    explained(async () => {
      const settings = settingsOf(place);
      const restored = await restoreBackup({ settings, file: input.file, passphrase: input.passphraseFile });
      const where = settings.databaseUrl === undefined ? settings.data : 'the PostgreSQL database';
      return done({ file: input.file, ...restored }, [
        ...linesOf(restored),
        `Restored into ${where}. What happened since is not in it: see backend/programs/backup/README.md, and ask the gateways and bitcoin nodes with`,
        `  gateway-account compare --since ${restored.header.createdAt}`,
        `  bitcoin-backend compare --since ${restored.header.createdAt}`,
        ...Object.entries(restored.nextInvoiceNumbers).map(
          ([businessId, number]) =>
            `${businessId} gives out invoice numbers from ${number} on; payments made since the backup may have them already`,
        ),
      ]);
    }),
});

function lineOfLeftOut(schema: string, { rows, columns }: LeftOut): string {
  const left = [...Object.entries(rows).map(([table, count]) => `${table} (rows: ${count})`), ...columns];
  if (left.length === 0) return `It is for schema ${schema}, and everything is in it.`;
  return `It is for schema ${schema}, which has no place for ${left.join(', ')}.`;
}

/** What the checks are about, in words. */
const checked: Readonly<Record<string, string>> = {
  sums: 'what each payment returned and holds',
  refunds: 'each refund has its payment',
  positions: 'what webhooks, e-mails and totals were made of',
  secrets: 'stored secrets can be opened',
};

function linesOf({ header, manifest, checks, hasKey }: Verified): string[] {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  return [
    `Backup of ${header.createdAt}: ${rows} rows, schema ${header.migrations.at(-1)}`,
    ...checks.map(({ name, problem }) => `${checked[name] ?? name}: ${problem ?? 'right'}`),
    hasKey
      ? `secrets key ${header.secretsKeyId}: here`
      : `secrets key ${header.secretsKeyId}: not here, so seals were not checked; a restore needs it`,
  ];
}

function settingsOf({ read }: Place): Settings {
  if (!read.ok) throw new Error('the command runs with valid settings only');
  return read.settings;
}

/** The keys of a running service: a backup names the key that its secrets were encrypted under. */
function secretsKeysFor(settings: Settings): SecretsKeys {
  if (settings.databaseUrl === undefined && !existsSync(databaseFile(settings)))
    throw new BackupProblem(
      folderProblem(settings.data) ?? `There is no database in ${settings.data}: name its folder with --data`,
    );
  try {
    return secretsKeysOf(settings);
  } catch (error) {
    if (error instanceof SecretsKeyMissing) throw new BackupProblem(error.message, { cause: error });
    throw error;
  }
}

/** Problems of the backup or its place are said in one line; anything else is a bug. */
async function explained(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupProblem) return failed(error.message);
    throw error;
  }
}

import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { fileReason } from '@florin/shared/files/reason.ts';
import { z } from 'zod';
import type { CopiedRow, CopiedTable } from '../../foundation/database/snapshot.ts';
import { decrypted, encrypted, isEncrypted } from './encryption.ts';
import { BackupProblem } from './problem.ts';

/** The first line of a backup. */
const header = z.object({
  format: z.literal('florin-backup-1'),
  createdAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).min(1),
  secretsKeyId: z.string(),
  /** Only in an encrypted backup, on request. */
  secretsKey: z.string().optional(),
});
const table = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) });
const row = z.array(z.union([z.string(), z.number(), z.null()]));
/** The last line. */
const manifest = z.strictObject({
  end: z.literal(true),
  tables: z.record(z.string(), z.strictObject({ rows: z.int(), sha256: z.string() })),
  auditHeads: z.array(z.strictObject({ businessId: z.string(), sequence: z.int(), hash: z.string() })),
});

export type BackupHeader = z.infer<typeof header>;
export type BackupManifest = z.infer<typeof manifest>;

/** The content of a backup in its order. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly table: CopiedTable; readonly rows: readonly CopiedRow[] }
  | { readonly kind: 'end'; readonly manifest: BackupManifest };

const linesPerWrite = 500;
const rowsPerPart = 500;

/** Writes lines to a new file that only its owner can read; resolves once it is on disk. @throws if it exists */
export async function writeBackup(
  file: string,
  lines: AsyncIterable<string>,
  passphrase: string | undefined,
): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const source = Readable.from(joined(lines));
  const compressed = createGzip();
  if (passphrase === undefined) await finished(source, compressed, stream);
  else await finished(source, compressed, encrypted(passphrase), stream);
}

async function* joined(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting: string[] = [];
  for await (const line of lines) {
    waiting.push(line);
    if (waiting.length < linesPerWrite) continue;
    yield Buffer.from(`${waiting.join('\n')}\n`);
    waiting = [];
  }
  if (waiting.length > 0) yield Buffer.from(`${waiting.join('\n')}\n`);
}

/** Counts and hashes the rows of each table, for the manifest. */
export function tableSums() {
  const sums = new Map<string, { rows: number; hash: Hash }>();
  return {
    begin(name: string) {
      sums.set(name, { rows: 0, hash: createHash('sha256') });
    },
    add(name: string, line: string) {
      const sum = sums.get(name);
      if (!sum) throw new Error(`table ${name} has not begun`);
      sum.rows += 1;
      sum.hash.update(line).update('\n');
    },
    all: (): BackupManifest['tables'] =>
      Object.fromEntries([...sums].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }])),
  };
}

/**
 * Reads a backup from beginning to end. The rows of a table are only proven by the last part: nothing may be believed
 * before it came.
 * @throws BackupProblem if it is not a whole, unchanged backup
 */
export async function* readBackup(file: string, passphrase: string | undefined): AsyncGenerator<BackupPart> {
  const lines = linesOf(await contentOf(file, passphrase));
  const first = await lines.next();
  const parsedHeader = header.safeParse(first.done ? undefined : json(first.value));
  if (!parsedHeader.success) throw new BackupProblem('The file is no backup of Florin');
  yield { kind: 'header', header: parsedHeader.data };
  const sums = tableSums();
  let current: CopiedTable | undefined;
  let rows: CopiedRow[] = [];
  let end: BackupManifest | undefined;
  for await (const line of lines) {
    if (end) throw new BackupProblem('The backup goes on after its end');
    const value = json(line);
    const isRow = Array.isArray(value);
    if (current && rows.length > 0 && (!isRow || rows.length === rowsPerPart)) {
      yield { kind: 'rows', table: current, rows };
      rows = [];
    }
    if (isRow) {
      if (current === undefined) throw new BackupProblem('The backup has a row without a table');
      sums.add(current.name, line);
      rows.push(rowIn(value, current));
      continue;
    }
    const next = table.safeParse(value);
    if (next.success) {
      current = { name: next.data.table, columns: next.data.columns };
      sums.begin(current.name);
      continue;
    }
    end = manifest.safeParse(value).data;
    if (!end) throw new BackupProblem('The backup has a line that cannot be read');
  }
  if (!end) throw new BackupProblem('The backup is cut off');
  const difference = differenceOf(end.tables, sums.all());
  if (difference) throw new BackupProblem(`The backup was changed: ${difference}`);
  yield { kind: 'end', manifest: end };
}

function rowIn(value: unknown, { name, columns }: CopiedTable): CopiedRow {
  const parsed = row.safeParse(value);
  if (!parsed.success || parsed.data.length !== columns.length)
    throw new BackupProblem(`The backup has a row of ${name} that cannot be read`);
  return parsed.data;
}

function differenceOf(expected: BackupManifest['tables'], found: BackupManifest['tables']): string | undefined {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  const different = names.find(name => JSON.stringify(expected[name]) !== JSON.stringify(found[name]));
  return different && `the rows of ${different} are not those that were written`;
}

/** The decrypted and decompressed bytes. */
async function contentOf(file: string, passphrase: string | undefined): Promise<AsyncIterable<Buffer>> {
  const beginning = await beginningOf(file).catch((error: unknown) => {
    throw new BackupProblem(`The backup ${file} cannot be read: ${fileReason(error)}. Check --file`, { cause: error });
  });
  const source = createReadStream(file);
  const content = createGunzip();
  const settled = (error: Error | null | undefined) => {
    if (error && !content.destroyed) content.destroy(error);
  };
  if (!isEncrypted(beginning)) pipeline(source, content, settled);
  else if (passphrase === undefined) throw new BackupProblem('The backup is encrypted: give --passphrase-file');
  else pipeline(source, decrypted(passphrase), content, settled);
  return content;
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Lines end with a line feed and nothing else: text in a row may contain Unicode's other line separators. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const part of content) {
      held = held.length === 0 ? part : Buffer.concat([held, part]);
      for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10)) {
        yield held.toString('utf8', 0, end);
        held = held.subarray(end + 1);
      }
    }
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    throw new BackupProblem('The file is no whole backup of Florin', { cause: error });
  }
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

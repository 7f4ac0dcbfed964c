import { FolderFailure } from '@florin/shared/files/folder.ts';
import { printable } from '@florin/shared/printable.ts';

/**
 * Ends a program that could not start. Problems an operator can fix (port in use, unwritable folder, unreachable
 * database) are one line; anything else is a bug and keeps its stack. Exit code 2 for an invalid setting, otherwise 1.
 */
export function endInOneLine(error: unknown): never {
  const isWrongSetting = error instanceof FolderFailure;
  if (!(error instanceof Error) || !(isWrongSetting || 'code' in error)) throw error;
  process.stderr.write(`Florin cannot start: ${printable(error.message || String(error))}\n`);
  process.exit(isWrongSetting ? 2 : 1);
}

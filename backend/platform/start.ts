import { FolderFailure } from '@florin/shared/files/folder.ts';
import { printable } from '@florin/shared/printable.ts';

/**
 * Ends a program that could not start. What its operator can mend (a port in use, a folder that cannot be made, a database out of
 * reach) is one line; anything else is a bug and keeps its stack. 2 for a wrong setting, 1 for the rest.
 */
export function endInOneLine(error: unknown): never {
  const isWrongSetting = error instanceof FolderFailure;
  if (!(error instanceof Error) || !(isWrongSetting || 'code' in error)) throw error;
  process.stderr.write(`Florin cannot start: ${printable(error.message || String(error))}\n`);
  process.exit(isWrongSetting ? 2 : 1);
}

import { FolderFailure } from '@florin/shared/files/folder.ts';
import { printable } from '@florin/shared/printable.ts';

/**
 * Ends a program that could not start. Problems an operator can fix (port in use, unwritable folder, unreachable
 * database) are one line; anything else is a bug and keeps its stack. Exit code 2 for an invalid setting, otherwise 1.
 */
export function endInOneLine(error: unknown): never {
  const isWrongSetting = error instanceof FolderFailure;
  if (!(error instanceof Error) || !(isWrongSetting || 'code' in error)) throw error;
  process.stderr.write(`Florin cannot start: ${printable(withRemedy(error))}\n`);
  process.exit(isWrongSetting ? 2 : 1);
}

/** The message of an error, with what an operator does about it where that is known. */
export function withRemedy(error: Error): string {
  const says = error.message || String(error);
  const todo = remedyOf(error);
  return todo === undefined ? says : `${says}. ${todo}`;
}

/** What an operator does about an error of the operating system or of PostgreSQL. While starting, only the database is called. */
function remedyOf({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return 'Another program listens there: stop it, or choose another port (PORT and METRICS_PORT of the backend)';
  if (syscall === 'connect' || syscall === 'getaddrinfo')
    return 'Check that the database server runs, and its address in DATABASE_URL';
  if (code === '28P01' || code === '28000') return 'Check user and password in DATABASE_URL';
  if (code === '3D000') return 'Create the database, or check its name in DATABASE_URL';
  return undefined;
}

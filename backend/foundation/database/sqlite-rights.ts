import { dirname } from 'node:path';
import { writeProblem } from '../platform/write-problem.ts';

/** This user may not write the database; the message says what, and what to do. */
class DatabaseNotWritable extends Error {
  override name = 'DatabaseNotWritable';
  readonly code = 'DATABASE_NOT_WRITABLE';
}

/** What this user may not write of a SQLite file, its folder and the files beside it, and what to do. */
export function rightsProblem(file: string): ReturnType<typeof writeProblem> {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    const problem = writeProblem(path);
    if (problem) return problem;
  }
  return undefined;
}

/** @throws DatabaseNotWritable if this user may not write the database */
export function refuseNotWritable(file: string): void {
  const problem = rightsProblem(file);
  if (problem) throw new DatabaseNotWritable(`${problem.says}. ${problem.todo}`);
}

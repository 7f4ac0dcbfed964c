import { disorderOf, releasedMigrations } from '../../foundation/database/migrations/migrate.ts';

/** A backup that cannot be made, read or restored; the message says why, and what to do about it. */
export class BackupProblem extends Error {
  override name = 'BackupProblem';
}

/** @throws BackupProblem if `subject` has a schema that this version cannot upgrade */
export function refuseDisorder(subject: string, migrations: readonly string[]): void {
  const disorder = disorderOf(migrations, Object.keys(releasedMigrations('sqlite')));
  if (disorder !== undefined) throw new BackupProblem(`${subject} ${disorder}`);
}

/** A backup that cannot be made, read or restored; the message says why, and what to do about it. */
export class BackupProblem extends Error {
  override name = 'BackupProblem';
}

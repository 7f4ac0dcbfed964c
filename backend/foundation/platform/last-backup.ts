import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '@florin/shared/ports.ts';

/** When deploy/backup.sh last proved a backup: it touches a file in the data folder. Undefined if it never has. */
export function backupProvenAt(dataFolder: string): Instant | undefined {
  return statSync(join(dataFolder, 'backup-proven'), { throwIfNoEntry: false })?.mtimeMs;
}

import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The room on the file system that a folder is on, or will be on once it is made. */
export function roomIn(folder: string): {
  readonly place: string;
  readonly freeBytes: number;
  readonly sizeBytes: number;
} {
  let place = resolve(folder);
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize, blocks } = statfsSync(place);
  return { place, freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

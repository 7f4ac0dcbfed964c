import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The room on the file system that a folder is on, or will be on once it is made, and whether this user may write there. */
export function roomIn(folder: string): {
  readonly place: string;
  readonly freeBytes: number;
  readonly sizeBytes: number;
  readonly isWritable: boolean;
} {
  let place = resolve(folder);
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize, blocks } = statfsSync(place);
  return { place, freeBytes: bavail * bsize, sizeBytes: blocks * bsize, isWritable: isWritable(place) };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printable } from '../printable.ts';

/** A folder that cannot be made; the message names it and says why. */
export class FolderFailure extends Error {}

/**
 * Makes a folder that only its owner can enter, and those above it. Node's recursive mode never returns below a folder that can
 * hold none, such as /proc.
 *
 * @throws FolderFailure
 */
export function makeFolder(path: string): void {
  try {
    make(resolve(path));
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new FolderFailure(`The folder ${printable(path)} cannot be made: ${reason}`, { cause: error });
  }
}

function make(path: string): void {
  if (existsSync(path)) return;
  make(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

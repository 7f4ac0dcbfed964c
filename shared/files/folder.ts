import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printable } from '../printable.ts';

/** A folder that cannot be created; the message states its path and the reason. */
export class FolderFailure extends Error {}

/**
 * Creates a folder that only its owner can access, and its parents. Node's recursive mode never returns below a folder
 * without write support, such as /proc. @throws FolderFailure
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

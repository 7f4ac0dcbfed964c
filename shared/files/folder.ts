import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { printable } from '../printable.ts';
import { fileReason } from './reason.ts';

/** A folder that cannot be created; the message states its path and the reason. */
export class FolderFailure extends Error {}

/**
 * Creates a folder that only its owner can access, and its parents. Returns the first of them that it created; undefined
 * if the folder was there. Node's recursive mode never returns below a folder without write support, such as /proc.
 * @throws FolderFailure
 */
export function makeFolder(path: string): string | undefined {
  try {
    return make(resolve(path));
  } catch (error) {
    if (error instanceof FolderFailure) throw error;
    const reason = fileReason(error) ?? String(error);
    throw new FolderFailure(`The folder ${printable(path)} cannot be made: ${reason}`, { cause: error });
  }
}

function make(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return undefined;
  if (found) throw new FolderFailure(`${printable(path)} is a file: name a folder`);
  const first = make(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return first ?? path;
}

import { accessSync, constants, statSync } from 'node:fs';
import { printable } from '../printable.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it exists',
  EACCES: 'this user may not; run this as the user that it belongs to',
  EPERM: 'this user may not; run this as the user that it belongs to',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its name is too long',
};

/** Why a file or folder cannot be used, in words with the system's code; undefined for any other error. */
export function fileReason(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const code = String(error.code);
  const words = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return words === undefined ? code : `${words} (${code})`;
}

/** Why this user cannot read a file; undefined where it can, or where there is none. */
export function fileProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) return `${printable(path)} is not a file`;
  return accessProblem(path, constants.R_OK);
}

/** Why this user cannot read what is in a folder; undefined where it can, or where there is no folder yet. */
export function folderProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isDirectory()) return `${printable(path)} is a file: name a folder with --data`;
  return accessProblem(path, constants.R_OK | constants.X_OK);
}

function accessProblem(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return `${printable(path)} cannot be read: ${fileReason(error) ?? String(error)}`;
  }
}

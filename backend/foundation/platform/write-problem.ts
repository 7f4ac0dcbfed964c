import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { printable } from '@florin/shared/printable.ts';

/** Why this user cannot write a file or folder, and what to do; undefined where it can, or where there is none. */
export function writeProblem(path: string): { readonly says: string; readonly todo: string } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { username, uid } = userInfo();
    const says = `The user ${username} may not write ${printable(path)}`;
    if (error instanceof Error && 'code' in error && error.code === 'EROFS')
      return { says, todo: 'Its file system is read-only: mount it for writing' };
    if (found.uid === uid) return { says, todo: `chmod u+w ${printable(path)}` };
    return { says, todo: `Run this as the user that it belongs to (its number is ${found.uid})` };
  }
}

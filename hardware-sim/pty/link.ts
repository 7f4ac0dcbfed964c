import { renameSync, rmSync, symlinkSync } from 'node:fs';

/** Lets `link` lead to `path`. Created aside and renamed, so that a host never sees a partial link. */
export function pointLink(link: string, path: string): void {
  const fresh = `${link}.new`;
  rmSync(fresh, { force: true });
  symlinkSync(path, fresh);
  renameSync(fresh, link);
}

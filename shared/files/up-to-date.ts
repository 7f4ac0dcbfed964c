import { globSync, statSync } from 'node:fs';

const built = ['**/dist/**', '**/node_modules/**'];

/** Whether a built file is newer than all of its sources. Paths and patterns are relative to `root`. */
export function isUpToDate(builtFile: string, sources: readonly string[], root: string): boolean {
  const changedAtMs = (file: string) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAtMs = changedAtMs(builtFile);
  return globSync(sources, { cwd: root, exclude: built }).every(file => changedAtMs(file) < builtAtMs);
}

import { globSync, statSync } from 'node:fs';

/** What the terminal's programs and screens are built from. */
const sources = [
  'device/{core,ipc,main,preload,readers,renderer}/**/*.*',
  'device/*.{json,ts}',
  'shared/**/*.ts',
  'package-lock.json',
];
const built = ['**/dist/**', '**/node_modules/**'];

/** Whether a file that was built from the terminal's sources is newer than every one of them. Paths are relative to `root`. */
export function isUpToDate(builtFile: string, root = process.cwd()): boolean {
  const changedAtMs = (file: string) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAtMs = changedAtMs(builtFile);
  return globSync(sources, { cwd: root, exclude: built }).every(file => changedAtMs(file) < builtAtMs);
}

import { globSync, statSync } from 'node:fs';

/** The source files of the terminal's programs and screens. */
const sources = [
  'device/{core,ipc,main,preload,readers,renderer}/**/*.*',
  'device/*.{json,ts}',
  'shared/**/*.ts',
  'package-lock.json',
];
const built = ['**/dist/**', '**/node_modules/**'];

/** Whether a built file is newer than all of the terminal's sources. Paths are relative to `root`. */
export function isUpToDate(builtFile: string, root = process.cwd()): boolean {
  const changedAtMs = (file: string) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const builtAtMs = changedAtMs(builtFile);
  return globSync(sources, { cwd: root, exclude: built }).every(file => changedAtMs(file) < builtAtMs);
}

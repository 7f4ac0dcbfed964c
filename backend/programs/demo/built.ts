import { isUpToDate } from '@florin/shared/files/up-to-date.ts';

/** The source files of the terminal's programs and screens. */
const sources = [
  'device/{core,ipc,main,preload,readers,renderer}/**/*.*',
  'device/*.{json,ts}',
  'shared/**/*.{css,ts}',
  'package-lock.json',
];

/** Whether a built file of the terminal is newer than all of its sources. Paths are relative to `root`. */
export function isTerminalUpToDate(builtFile: string, root = process.cwd()): boolean {
  return isUpToDate(builtFile, sources, root);
}

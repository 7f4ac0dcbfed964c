import { join } from 'node:path';
import { isUpToDate } from '@florin/shared/files/up-to-date.ts';
import { viteBuild } from '../ui/vite-build.ts';

const root = join(import.meta.dirname, '../../..');
const here = 'backend/web/portal';
const sources = [`${here}/{app,build}/**/*.*`, `${here}/vite.config.ts`, 'shared/**/*.{css,ts}', 'package-lock.json'];

/**
 * The folder of the built portal. `npm run build` replaces this module; run from source, the portal is built when it is
 * first asked for, if its sources have changed.
 */
export async function portalFolder(): Promise<string> {
  const folder = join(root, here, 'dist');
  if (!isUpToDate(`${here}/dist/portal.json`, sources, root)) await buildPortal(folder);
  return folder;
}

/** Builds the portal into a folder, and returns the files that it is made of. */
export function buildPortal(folder: string): Promise<readonly string[]> {
  return viteBuild(join(root, here, 'vite.config.ts'), folder);
}

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Playwright's global set-up: builds the renderer as it is shipped. */
export default function buildRenderer(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync(
    `${root}node_modules/.bin/vite`,
    ['build', '--config', 'device/renderer/vite.config.ts', '--logLevel', 'warn'],
    { cwd: root, stdio: 'inherit' },
  );
}

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { portalFolder } from '@florin/backend/web/portal/bundle.ts';

/** Playwright's global set-up: builds the terminal's screens and the portal as they are shipped. */
export default async function buildScreens(): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  execFileSync(
    `${root}node_modules/.bin/vite`,
    ['build', '--config', 'device/renderer/vite.config.ts', '--logLevel', 'warn'],
    { cwd: root, stdio: 'inherit' },
  );
  await portalFolder();
}

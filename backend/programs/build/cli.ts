import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildClient } from '@florin/client/build/build.ts';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { Command, readOptions } from '../../foundation/platform/command-line.ts';
import { buildPortal } from '../../web/portal/bundle.ts';
import { viteBuild } from '../../web/ui/vite-build.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { bundle, external } from './bundle.ts';
import { thirdPartyLicences } from './licences.ts';
import { installedWith, packagesOf } from './packages.ts';

const root = join(import.meta.dirname, '../../..');
const programs = {
  backend: 'backend/main.ts',
  admin: 'backend/programs/admin/cli.ts',
  terminal: 'device/main/browser/main.ts',
} as const;
/** Packages whose files are served unchanged. */
const served = ['swagger-ui-dist', '@fontsource-variable/inter'];

const { out } = readOptions(
  new Command('npm run build --')
    .description(
      `Bundles the backend, the admin command line and the terminal for a browser for production: backend/main.cjs,
admin/main.cjs and terminal/main.cjs in one folder. They run with the node_modules of this folder beside it, on Node 24.
client/ beside them is the package for integrators.`,
    )
    .option('--out <dir>', 'output folder (default: dist)'),
  z.object({ out: z.string().min(1).default(join(root, 'dist')) }),
);
await build(out);

async function build(folder: string): Promise<void> {
  const bundled: string[] = [];
  for (const [name, source] of Object.entries(programs)) bundled.push(...(await bundle(source, join(folder, name))));
  bundled.push(...(await buildPortal(join(folder, 'backend/portal'))));
  bundled.push(...(await viteBuild(join(root, 'device/renderer/vite.config.ts'), join(folder, 'terminal/screens'))));
  const client = await buildClient(join(folder, 'client'));
  writeFileSync(join(folder, 'client/THIRD_PARTY_LICENCES'), thirdPartyLicences(packagesOf(client)));
  const shipped = packagesOf([...bundled, ...installedWith([...external, ...served], root)]);
  writeFileSync(join(folder, 'THIRD_PARTY_LICENCES'), thirdPartyLicences(shipped));
  writeFileSync(join(folder, 'bom.json'), billOfMaterials({ name: manifest.name, version: manifest.version }, shipped));
  await startOnce(join(folder, 'backend/main.cjs'));
  await startOnce(
    join(folder, 'terminal/main.cjs'),
    '--service',
    'http://127.0.0.1:9',
    '--reader',
    '/dev/null',
    '--json',
    '--quiet',
  );
  const built = [...Object.keys(programs).map(name => join(folder, name, 'main.cjs')), join(folder, 'client')];
  console.log(`Built ${built.join(', ')}`);
}

/** Checks that a built program starts, and fills its compile cache. */
async function startOnce(program: string, ...options: string[]): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'florin-build-'));
  const child = spawn(process.execPath, [program, '--port', '0', '--data', data, ...options], {
    env: { LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // What it says of the reader and the service that are not there looks like a failure, and is none.
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(child, 'exit');
  createInterface({ input: child.stdout }).on('line', line => {
    // The terminal logs to the same output.
    if (line.startsWith('{"ready":true')) child.kill('SIGTERM');
  });
  const [exitCode] = await ended;
  rmSync(data, { recursive: true, force: true });
  if (exitCode !== 0) throw new Error(`${program} does not start (exit ${exitCode})\n${said}`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildClient } from '@florin/client/build/build.ts';
import { rolldown } from 'rolldown';
import { z } from 'zod';
import { Command, readOptions } from '../platform/command-line.ts';
import { bundleAssets } from '../web/ui/bundle.ts';
import { thirdPartyLicences } from './licences.ts';

const root = join(import.meta.dirname, '../..');
const programs = { backend: 'backend/main.ts', admin: 'backend/admin/cli.ts' } as const;
/** With machine code of their own, which they read from beside them, or loaded only where they happen to be installed. */
const stayOutside = ['better-sqlite3', 'argon2', 'pg-native', 'tiny-secp256k1', 'uint8array-tools'];
/** Whose files are served as they are. */
const served = ['swagger-ui-dist'];

/** Express brings the tables of all character sets for texts in them; bodies are read as bytes, and are UTF-8. */
const withoutCharacterTables = {
  name: 'without character tables',
  load: {
    filter: { id: /[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/ },
    handler: () => `throw new Error('character sets are not part of this build');`,
  },
};

/** It also brings the media types of all file extensions, which take 3 MB; every response names its type in full. */
const withoutFileTypes = {
  name: 'without file types',
  load: { filter: { id: /[\\/]mime-db[\\/]index\.js$/ }, handler: () => 'module.exports = {};' },
};

const entry = 'program';

const { out } = readOptions(
  new Command('npm run build --')
    .description(
      `Bundles the backend and the admin command line for production: backend/main.cjs and admin/main.cjs in one folder.
They run with the node_modules of this folder beside it, on Node 24. client/ beside them is the package for integrators.`,
    )
    .option('--out <dir>', 'where to build (default: dist)'),
  z.object({ out: z.string().min(1).default(join(root, 'dist')) }),
);
await build(out);

async function build(folder: string): Promise<void> {
  const bundled: string[] = [];
  for (const [name, source] of Object.entries(programs)) bundled.push(...(await bundle(source, join(folder, name))));
  const client = await buildClient(join(folder, 'client'));
  writeFileSync(join(folder, 'client/THIRD_PARTY_LICENCES'), thirdPartyLicences(client));
  const outside = [...stayOutside, ...served].flatMap(name => fileOf(name) ?? []);
  writeFileSync(join(folder, 'THIRD_PARTY_LICENCES'), thirdPartyLicences([...bundled, ...outside]));
  await startOnce(join(folder, 'backend/main.cjs'));
  const built = [...Object.keys(programs).map(name => join(folder, name, 'main.cjs')), join(folder, 'client')];
  console.log(`Built ${built.join(', ')}`);
}

/**
 * CommonJS, because importing node:http as a module makes Node load the fetch and WebSocket it offers there: a fifth of the
 * start, for something never used. Gives the files that went into it.
 */
async function bundle(source: string, folder: string): Promise<string[]> {
  const bundling = await rolldown({
    cwd: root,
    input: { main: entry },
    platform: 'node',
    external: stayOutside,
    plugins: [entryOf(source), await assetsMade(), withoutCharacterTables, withoutFileTypes],
  });
  const { output } = await bundling.write({
    dir: folder,
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'parts/[name].cjs',
    sourcemap: true,
    // V8 keeps a source with any other character in it at two bytes for each.
    charset: 'ascii',
    // Names in a stack trace stay those of the source.
    minify: { mangle: { keepNames: true }, compress: false },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundling.close();
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : [])).filter(id => isAbsolute(id));
}

/** A file of a package that is installed. */
function fileOf(name: string): string | undefined {
  const file = join(root, 'node_modules', name, 'package.json');
  return existsSync(file) ? file : undefined;
}

/** The version check and the compile cache come first: neither may wait for the program to be read. */
function entryOf(source: string) {
  const [prepare, program] = [join(root, 'backend/platform/prepare-node.mjs'), join(root, source)].map(path =>
    JSON.stringify(path),
  );
  const code = `import { prepareNode } from ${prepare};
prepareNode(new URL('compiled', import.meta.url));
void import(${program});
`;
  return {
    name: 'entry',
    resolveId: (id: string) => (id === entry ? `\0${entry}` : undefined),
    load: (id: string) => (id === `\0${entry}` ? code : undefined),
  };
}

/** What pages load, in place of the module that bundles it. */
async function assetsMade() {
  const code = `export const bundleAssets = async () => ${JSON.stringify(await bundleAssets())};`;
  const bundler = join(root, 'backend/web/ui/bundle.ts');
  return { name: 'assets', load: (id: string) => (id === bundler ? code : undefined) };
}

/** Proves that it starts here, and fills the compile cache. */
async function startOnce(program: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'florin-build-'));
  const child = spawn(process.execPath, [program, '--port', '0', '--data', data], {
    env: { LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  createInterface({ input: child.stdout }).once('line', () => child.kill('SIGTERM'));
  const [exitCode] = await ended;
  rmSync(data, { recursive: true, force: true });
  if (exitCode !== 0) throw new Error(`the built backend does not start (exit ${exitCode})`);
}

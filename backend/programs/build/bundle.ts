import { isAbsolute, join } from 'node:path';
import { operations } from '@florin/shared/contracts/operations.ts';
import { type PluginContext, rolldown } from 'rolldown';
import { apiDocuments } from '../../foundation/http/description/openapi.ts';
import { bundleAssets } from '../../web/ui/bundle.ts';

const root = join(import.meta.dirname, '../../..');

/** Native modules, which load files beside themselves, and optional ones. */
export const external = [
  'better-sqlite3',
  'argon2',
  'pg-native',
  'tiny-secp256k1',
  'uint8array-tools',
  '@serialport/bindings-cpp',
];

/** Express pulls in tables of all character sets; bodies are read as bytes and are UTF-8. */
const withoutCharacterTables = {
  name: 'without character tables',
  load: {
    filter: { id: /[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/ },
    handler: () => `throw new Error('character sets are not part of this build');`,
  },
};

/** Express also pulls in the media types of all file extensions (3 MB); every response sets its type explicitly. */
const withoutFileTypes = {
  name: 'without file types',
  load: { filter: { id: /[\\/]mime-db[\\/]index\.js$/ }, handler: () => 'module.exports = {};' },
};

/** The receipt printer's encoder brings packages for images without a licence text; receipts have no images. */
const withoutImages = {
  name: 'without images',
  resolveId: { filter: { id: /^(@canvas\/image-data|resize-image-data)$/ }, handler: () => '\0without images' },
  load: {
    filter: { id: /^\0without images$/ },
    handler: () => `module.exports = () => { throw new Error('images are not part of this build'); };`,
  },
};

const entry = 'program';

/**
 * Bundles a program as `main.cjs` in a folder and returns the bundled files. CommonJS, because importing node:http as a
 * module loads Node's unused fetch and WebSocket, a fifth of the start time.
 */
export async function bundle(source: string, folder: string): Promise<string[]> {
  const bundling = await rolldown({
    cwd: root,
    input: { main: entry },
    platform: 'node',
    external,
    // What is loaded later from source may well be loaded with the rest in a bundle.
    checks: { ineffectiveDynamicImport: false },
    plugins: [
      entryOf(source),
      await assetsMade(),
      portalMade,
      screensMade,
      descriptionsMade(),
      withoutCharacterTables,
      withoutFileTypes,
      withoutImages,
    ],
  });
  const { output } = await bundling.write({
    dir: folder,
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'parts/[name].cjs',
    sourcemap: true,
    // V8 stores a source with any non-ASCII character at two bytes per character.
    charset: 'ascii',
    // Keeps the source's names in stack traces.
    minify: { mangle: { keepNames: true }, compress: false },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundling.close();
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : [])).filter(id => isAbsolute(id));
}

/** The version check and the compile cache run before the program is loaded. */
function entryOf(source: string) {
  const [prepare, program] = [join(root, 'backend/foundation/platform/prepare-node.mjs'), join(root, source)].map(
    path => JSON.stringify(path),
  );
  const code = `import { prepareNode } from ${prepare};
prepareNode(new URL('compiled', import.meta.url), { portable: true });
void import(${program});
`;
  return {
    name: 'entry',
    resolveId: (id: string) => (id === entry ? `\0${entry}` : undefined),
    load: (id: string) => (id === `\0${entry}` ? code : undefined),
  };
}

/** Prebuilt page assets, replacing the module that bundles them. */
async function assetsMade() {
  const code = `export const bundleAssets = async () => ${JSON.stringify(await bundleAssets())};`;
  const bundler = join(root, 'backend/web/ui/bundle.ts');
  return { name: 'assets', load: (id: string) => (id === bundler ? code : undefined) };
}

/** The portal is built into a folder beside the program's parts. */
const portalMade = {
  name: 'portal',
  load: {
    filter: { id: /[\\/]web[\\/]portal[\\/]bundle\.ts$/ },
    handler: () =>
      `import { join } from 'node:path'; export const portalFolder = async () => join(import.meta.dirname, '../portal');`,
  },
};

/** The terminal's screens are built into a folder beside its program's parts. */
const screensMade = {
  name: 'screens',
  load: {
    filter: { id: /[\\/]main[\\/]browser[\\/]screens-folder\.ts$/ },
    handler: () =>
      `import { join } from 'node:path'; export const screensFolder = () => join(import.meta.dirname, '../screens');`,
  },
};

/**
 * The descriptions of the APIs as files beside the program's parts, read when they are asked for: to make them takes 35 MB of memory,
 * and their text would be kept twice with the source.
 */
function descriptionsMade() {
  const describer = join(root, 'backend/foundation/http/description/openapi.ts');
  const paths = JSON.stringify(Object.keys(apiDocuments([])));
  const read = "path => () => readFileSync(join(import.meta.dirname, '..', path), 'utf8')";
  const code = `import { readFileSync } from 'node:fs'; import { join } from 'node:path'; const read = ${read}; export const apiDocuments = () => Object.fromEntries(${paths}.map(path => [path, read(path)]));`;
  return {
    name: 'descriptions',
    load(this: PluginContext, id: string) {
      if (id !== describer) return undefined;
      for (const [path, text] of Object.entries(apiDocuments(operations)))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: text() });
      return code;
    },
  };
}

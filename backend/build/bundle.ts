import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleAssets } from '../web/ui/bundle.ts';

const root = join(import.meta.dirname, '../..');

/** With machine code of their own, which they read from beside them, or loaded only where they happen to be installed. */
export const stayOutside = ['better-sqlite3', 'argon2', 'pg-native', 'tiny-secp256k1', 'uint8array-tools'];

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

/**
 * Bundles a program for production: `main.cjs` in a folder. CommonJS, because importing node:http as a module makes Node load
 * the fetch and WebSocket it offers there: a fifth of the start, for something never used. Gives the files that went into it.
 */
export async function bundle(source: string, folder: string): Promise<string[]> {
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

import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { type Language, languages } from '@florin/shared/languages.ts';
import type { Plugin, Rolldown } from 'vite';
import type { Start } from '../files.ts';

type Bundle = Rolldown.OutputBundle;

/** Beyond this the first page takes noticeably long on a phone. */
const maxFirstRouteBytes = 150_000;
const compressible = /\.(js|css|svg)$/;

/** Compresses every text, says in `portal.json` how the portal starts, and fails when it has become too large. */
export function buildOutcome(): Plugin {
  return {
    name: 'build-outcome',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const start = startOf(bundle);
        const size = firstRouteBytes(bundle);
        if (size > maxFirstRouteBytes)
          this.error(`the scripts of the first page are ${size} bytes compressed: the limit is ${maxFirstRouteBytes}`);
        for (const [fileName, output] of Object.entries(bundle)) {
          if (!compressible.test(fileName)) continue;
          const content = Buffer.from(output.type === 'chunk' ? output.code : output.source);
          const brotli = { params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length } };
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(content, brotli) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) });
        }
        this.emitFile({ type: 'asset', fileName: 'portal.json', source: JSON.stringify({ ...start, size }) });
      },
    },
  };
}

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter(output => output.type === 'chunk');

function startOf(bundle: Bundle): Start {
  const entry = chunksOf(bundle).find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the portal has no entry');
  const named = (pattern: RegExp) => Object.keys(bundle).filter(fileName => pattern.test(fileName));
  return {
    script: entry.fileName,
    preloads: [...withImports(bundle, entry)].filter(fileName => fileName !== entry.fileName),
    words: { en: wordsIn(bundle, 'en').fileName, de: wordsIn(bundle, 'de').fileName },
    styles: named(/\/portal-[0-9a-f]+\.css$/),
    font: named(/\.woff2$/)[0] ?? '',
    icon: named(/\.svg$/)[0] ?? '',
  };
}

function wordsIn(bundle: Bundle, language: Language): Rolldown.OutputChunk {
  const words = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/app/words/${language}.ts`));
  if (!words) throw new Error(`the portal has no script with the words of ${language}`);
  return words;
}

/** A chunk with everything that it imports at once. */
function withImports(bundle: Bundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const fileName of chunk.imports) {
    const imported = bundle[fileName];
    if (imported?.type === 'chunk') withImports(bundle, imported, found);
  }
  return found;
}

/** The compressed size of the entry with the largest page, in the language that needs more. */
function firstRouteBytes(bundle: Bundle): number {
  const gzipped = (fileName: string) => {
    const output = bundle[fileName];
    return output?.type === 'chunk' ? gzipSync(output.code).length : 0;
  };
  const chunks = chunksOf(bundle);
  const entries = chunks.filter(({ isEntry }) => isEntry).flatMap(entry => [...withImports(bundle, entry)]);
  const routes = languages.flatMap(language => {
    const shown = [...entries, ...withImports(bundle, wordsIn(bundle, language))];
    return chunks
      .filter(({ isDynamicEntry }) => isDynamicEntry)
      .map(page => new Set([...shown, ...withImports(bundle, page)]));
  });
  const sizes = routes.map(files => [...files].reduce((bytes, fileName) => bytes + gzipped(fileName), 0));
  return Math.max(...sizes);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A stylesheet, script or font as served. */
export type Asset = { readonly name: string; readonly content: string; readonly encoding?: 'base64' };

const here = import.meta.dirname;
/** The script of each page by name, with its entry module. */
const scripts: Readonly<Record<string, string>> = {
  'pay.js': '../pay/browser/main.ts',
  'tip.js': '../tip/browser/main.ts',
  'checkout.js': '../checkout/browser/main.ts',
  'receipt.js': '../receipt/browser/main.ts',
  'verify.js': '../receipt/browser/verify.ts',
};
/** What a phone on a slow network loads before it can pay. */
const maxScriptBytes = 10_000;
const maxFontBytes = 30_000;

/**
 * Bundles the pages' assets from source. `npm run build` replaces this module with the result; run from source, the
 * service bundles for the first page.  @throws Error for a script above 10 kB compressed, or a font above 30 kB
 */
export async function bundleAssets(): Promise<readonly Asset[]> {
  const { rolldown } = await import('rolldown');
  const style: Asset = { name: 'style.css', content: await bundleStyle() };
  const bundled = Object.entries(scripts).map(async ([name, source]): Promise<Asset> => {
    const bundling = await rolldown({ input: join(here, source), platform: 'browser', tsconfig: false });
    const { output } = await bundling.generate({ format: 'iife', minify: true });
    await bundling.close();
    const content = output[0].code;
    expectAtMost(maxScriptBytes, gzipSync(content).length, name);
    return { name, content };
  });
  return [style, await font(), ...(await Promise.all(bundled))];
}

async function font(): Promise<Asset> {
  const content = await readFile(join(here, '../../../shared/design/font/inter-latin.woff2'));
  expectAtMost(maxFontBytes, content.length, 'inter.woff2');
  return { name: 'inter.woff2', content: content.toString('base64'), encoding: 'base64' };
}

function expectAtMost(maxBytes: number, bytes: number, name: string): void {
  if (bytes > maxBytes) throw new Error(`${name} has ${bytes} bytes, and may have ${maxBytes}`);
}

/** The tokens and the style, in what browsers of the last five years understand. */
async function bundleStyle(): Promise<string> {
  const { transform } = await import('lightningcss');
  const sources = [join(here, '../../../shared/design/tokens.css'), join(here, 'style.css')];
  const texts = await Promise.all(sources.map(source => readFile(source, 'utf8')));
  const [chrome, firefox, safari] = [100, 100, 15].map(version => version << 16) as [number, number, number];
  const code = Buffer.from(texts.join('\n'));
  return String(transform({ filename: 'style.css', code, minify: true, targets: { chrome, firefox, safari } }).code);
}

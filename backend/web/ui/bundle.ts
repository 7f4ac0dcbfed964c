import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A stylesheet or script as served. */
export type Asset = { readonly name: string; readonly content: string };

const here = import.meta.dirname;
/** The script of each page by name, with its entry module. */
const scripts: Readonly<Record<string, string>> = {
  'pay.js': '../pay/browser/main.ts',
  'tip.js': '../tip/browser/main.ts',
  'checkout.js': '../checkout/browser/main.ts',
  'receipt.js': '../receipt/browser/main.ts',
  'verify.js': '../receipt/browser/verify.ts',
};

/**
 * Bundles the pages' assets from source. `npm run build` replaces this module with the result; run from source, the
 * service bundles for the first page.
 */
export async function bundleAssets(): Promise<readonly Asset[]> {
  const { rolldown } = await import('rolldown');
  const style: Asset = { name: 'style.css', content: await bundleStyle() };
  const bundled = Object.entries(scripts).map(async ([name, source]): Promise<Asset> => {
    const bundling = await rolldown({ input: join(here, source), platform: 'browser', tsconfig: false });
    const { output } = await bundling.generate({ format: 'iife', minify: true });
    await bundling.close();
    return { name, content: output[0].code };
  });
  return [style, ...(await Promise.all(bundled))];
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

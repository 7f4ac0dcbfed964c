import { readFileSync } from 'node:fs';
import { fontFace } from '../design/font.ts';

/** A file that every page for testers loads: the simulator's pages and those of the sandboxes look the same. */
export type TesterPageFile = { readonly type: string; readonly content: string | Buffer };

const read = (name: string) => readFileSync(new URL(`../design/${name}`, import.meta.url));

/** By path: the font, and a style of tokens and common elements. Their Content-Security-Policy needs `font-src 'self'`. */
export function testerPageFiles(): Readonly<Record<string, TesterPageFile>> {
  const style = [fontFace('/inter.woff2', 'swap'), read('tokens.css'), read('tester-pages.css')].join('\n');
  return {
    '/design.css': { type: 'text/css', content: style },
    '/inter.woff2': { type: 'font/woff2', content: read('font/inter-latin.woff2') },
  };
}

import { hash } from 'node:crypto';
import { fontFace } from '@florin/shared/design/font.ts';
import type { Asset } from './bundle.ts';

/** The assets of pages, under URLs that change with their content. */
export type Assets = {
  /** The URL of an asset. */
  urlOf(name: string): string;
  /** The text of a style or script as it was bundled, for a page that has it in itself. */
  contentOf(name: string): string;
  /** By file name; undefined if no current asset has it. */
  content(fileName: string): string | Uint8Array | undefined;
};

type File = { readonly fileName: string; readonly content: string | Uint8Array };

/** Adds a hash of the content to each file name. A name that was not bundled is an error. */
export function assetsOf(bundled: readonly Asset[]): Assets {
  const named = <Value>(all: ReadonlyMap<string, Value>, name: string): Value => {
    const found = all.get(name);
    if (found === undefined) throw new Error(`there is no asset ${name}`);
    return found;
  };
  const texts = new Map(bundled.map(({ name, content }) => [name, content]));
  const files = new Map<string, File>();
  const urlOf = (name: string) => `/assets/${named(files, name).fileName}`;
  const add = (name: string, content: string | Uint8Array) => files.set(name, fileOf(name, content));
  for (const { name, content, encoding } of bundled)
    add(name, encoding === 'base64' ? Buffer.from(content, 'base64') : content);
  // Only in the style that pages load: a page that has the style in itself loads nothing.
  add('style.css', fontFace(urlOf('inter.woff2'), 'optional') + named(texts, 'style.css'));
  const byFileName = new Map([...files.values()].map(({ fileName, content }) => [fileName, content]));
  return {
    urlOf,
    contentOf: name => named(texts, name),
    content: fileName => byFileName.get(fileName),
  };
}

function fileOf(name: string, content: string | Uint8Array): File {
  const [stem, extension] = name.split('.');
  return { fileName: `${stem}-${hash('sha256', content).slice(0, 16)}.${extension}`, content };
}

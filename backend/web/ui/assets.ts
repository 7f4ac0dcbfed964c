import { hash } from 'node:crypto';
import type { Asset } from './bundle.ts';

/** The assets of pages, under URLs that change with their content. */
export type Assets = {
  /** The URL of an asset. */
  urlOf(name: string): string;
  /** The content of an asset, for a page that has it in itself. */
  contentOf(name: string): string;
  /** By file name; undefined if no current asset has it. */
  content(fileName: string): string | undefined;
};

/** Adds a hash of the content to each file name. A name that was not bundled is an error. */
export function assetsOf(all: readonly Asset[]): Assets {
  const files = all.map(({ name, content }) => {
    const [stem, extension] = name.split('.');
    return { name, content, fileName: `${stem}-${hash('sha256', content).slice(0, 16)}.${extension}` };
  });
  const byName = new Map(files.map(file => [file.name, file]));
  function named(name: string) {
    const file = byName.get(name);
    if (file === undefined) throw new Error(`there is no asset ${name}`);
    return file;
  }
  const byFileName = new Map(files.map(({ fileName, content }) => [fileName, content]));
  return {
    urlOf: name => `/assets/${named(name).fileName}`,
    contentOf: name => named(name).content,
    content: fileName => byFileName.get(fileName),
  };
}

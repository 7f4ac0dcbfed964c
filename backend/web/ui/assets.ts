import { hash } from 'node:crypto';
import type { Asset } from './bundle.ts';

/** The assets of pages, under URLs that change with their content. */
export type Assets = {
  /** The URL of an asset. */
  urlOf(name: string): string;
  /** By file name; undefined if no current asset has it. */
  content(fileName: string): string | undefined;
};

/** Adds a hash of the content to each file name. `urlOf` throws for a name that was not bundled. */
export function assetsOf(all: readonly Asset[]): Assets {
  const files = all.map(({ name, content }) => {
    const [stem, extension] = name.split('.');
    return { name, content, fileName: `${stem}-${hash('sha256', content).slice(0, 16)}.${extension}` };
  });
  const byName = new Map(files.map(file => [file.name, `/assets/${file.fileName}`]));
  const byFileName = new Map(files.map(({ fileName, content }) => [fileName, content]));
  return {
    urlOf(name) {
      const url = byName.get(name);
      if (url === undefined) throw new Error(`there is no asset ${name}`);
      return url;
    },
    content: fileName => byFileName.get(fileName),
  };
}

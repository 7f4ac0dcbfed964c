import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InLanguages } from '@florin/shared/languages.ts';

/** What a document needs to start the portal: paths below `/portal/`. */
export type Start = {
  readonly script: string;
  /** Scripts that the script imports at once. */
  readonly preloads: readonly string[];
  /** The script of each language's words, without which nothing is shown. */
  readonly words: InLanguages<string>;
  readonly styles: readonly string[];
  readonly font: string;
  readonly icon: string;
};

export type PortalFile = { readonly content: Buffer; readonly compressed: Readonly<Record<string, Buffer>> };

/** The built portal, in memory. */
export type PortalFiles = {
  readonly start: Start;
  /** By file name; undefined if no current asset has it. */
  asset(fileName: string): PortalFile | undefined;
};

const codings = { br: '.br', gzip: '.gz' };

/** Reads the folder of a built portal. */
export async function readPortal(folder: string): Promise<PortalFiles> {
  const names = await readdir(join(folder, 'assets'));
  const contents = new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, 'assets', name))] as const)),
  );
  const start = JSON.parse(await readFile(join(folder, 'portal.json'), 'utf8')) as Start;
  return {
    start,
    asset(fileName) {
      const content = contents.get(fileName);
      if (content === undefined) return undefined;
      const compressed = Object.entries(codings).flatMap(([coding, ending]) => {
        const found = contents.get(fileName + ending);
        return found === undefined ? [] : [[coding, found] as const];
      });
      return { content, compressed: Object.fromEntries(compressed) };
    },
  };
}

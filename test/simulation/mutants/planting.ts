import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';

const root = new URL('../../../', import.meta.url).href;
const isInTree = (url: string) => url.startsWith(root) && !url.includes('/node_modules/');

/**
 * Loads the program again for each bug: the module in which it is planted and all modules that import it, directly or
 * not. All other modules are shared, so that planting a bug takes a fraction of the time of starting a process.
 */
export class Planting {
  /** The modules that import each module. */
  readonly #importers = new Map<string, Set<string>>();
  #reloaded: ReadonlySet<string> = new Set();
  #mutant: Mutant | undefined;
  #isPlanted = false;
  #times = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const resolved = nextResolve(specifier, context);
        const parent = plain(context.parentURL ?? '');
        if (!isInTree(resolved.url)) return resolved;
        const importers = this.#importers.get(resolved.url) ?? new Set();
        this.#importers.set(resolved.url, importers.add(parent));
        return this.#reloaded.has(resolved.url) ? { ...resolved, url: this.#again(resolved.url) } : resolved;
      },
      load: (url, context, nextLoad) => {
        const mutant = this.#mutant;
        if (!mutant || url !== this.#again(targetOf(mutant))) return nextLoad(url, context);
        const source = readFileSync(fileURLToPath(targetOf(mutant)), 'utf8');
        if (source.split(mutant.find).length !== 2)
          throw new Error(`"${mutant.name}" does not match ${mutant.file} exactly once`);
        this.#isPlanted = true;
        return {
          format: 'module-typescript',
          source: source.replace(mutant.find, () => mutant.replace),
          shortCircuit: true,
        };
      },
    });
  }

  /** Loads these modules with the bug. They must have been loaded without it before. */
  async plant(mutant: Mutant, urls: readonly string[]): Promise<unknown[]> {
    const target = targetOf(mutant);
    if (!this.#importers.has(target)) throw new Error(`nothing loads ${mutant.file}`);
    this.#mutant = mutant;
    this.#times += 1;
    this.#isPlanted = false;
    this.#reloaded = this.#dependents(target);
    const loaded = await Promise.all(urls.map(url => import(this.#again(url))));
    if (!this.#isPlanted) throw new Error(`nothing loads ${mutant.file}`);
    return loaded;
  }

  #again(url: string): string {
    return `${url}?${this.#times}`;
  }

  #dependents(target: string): ReadonlySet<string> {
    const found = new Set([target]);
    for (const url of found) for (const importer of this.#importers.get(url) ?? []) found.add(importer);
    return found;
  }
}

function targetOf({ file }: Mutant): string {
  return new URL(file, root).href;
}

function plain(url: string): string {
  const [path = ''] = url.split('?');
  return path;
}

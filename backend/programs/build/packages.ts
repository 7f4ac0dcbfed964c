import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  license: z
    .string()
    .min(1, { error: 'names no licence' })
    // Some manifests put a choice in parentheses.
    .transform(licence => licence.replace(/^\((.*)\)$/, '$1')),
});

/** A package that is shipped. `license` is an SPDX expression. */
export type ShippedPackage = z.output<typeof manifest> & { readonly folder: string };

/** Licences that ask for nothing but their text. Any other needs a decision before it is added here. */
const permitted = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1']);

/** Whether one choice of an SPDX expression is permitted. */
const isPermitted = (expression: string) =>
  expression.split(' OR ').some(choice => choice.split(' AND ').every(licence => permitted.has(licence)));

/**
 * All packages that these files are from, in the order of their names.
 * @throws Error for a package without a licence, or under one that is not permitted: it must not be shipped
 */
export function packagesOf(files: Iterable<string>): readonly ShippedPackage[] {
  const packages = new Map<string, ShippedPackage>();
  for (const file of files) {
    const found = packageOf(file);
    if (!found || found.private) continue;
    if (!isPermitted(found.license))
      throw new Error(`${found.name} is under ${found.license}, which is not one of the permitted licences`);
    packages.set(`${found.name} ${found.version}`, found);
  }
  return [...packages].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

/**
 * The manifests of installed packages and of everything that is installed for them. A package that is not installed is
 * an optional one.
 */
export function installedWith(names: readonly string[], folder: string): readonly string[] {
  const manifests = new Set<string>();
  const add = (path: string) => {
    if (manifests.has(path)) return;
    manifests.add(path);
    for (const name of Object.keys(packageOf(path)?.dependencies ?? {})) {
      const found = manifestOf(name, dirname(path));
      if (found === undefined) throw new Error(`${name}, which ${path} needs, is not installed`);
      add(found);
    }
  };
  for (const name of names) {
    const found = manifestOf(name, folder);
    if (found !== undefined) add(found);
  }
  return [...manifests];
}

/** As Node.js finds a package from this folder. */
function manifestOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The package of a file: the nearest manifest above it with a name and a version. */
function packageOf(file: string): ShippedPackage | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!z.object({ name: z.string(), version: z.string() }).safeParse(read).success) continue;
    const parsed = manifest.safeParse({ license: '', ...(read as object) });
    if (parsed.success) return { ...parsed.data, folder };
    if ((read as { private?: unknown }).private === true) return undefined;
    throw new Error(`${path}: ${parsed.error.issues[0]?.message}`);
  }
  return undefined;
}

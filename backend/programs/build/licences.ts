import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  license: z
    .string()
    .min(1, { error: 'names no licence' })
    // Some manifests put a choice in parentheses.
    .transform(licence => licence.replace(/^\((.*)\)$/, '$1')),
});
type Package = z.output<typeof manifest> & { readonly folder: string };

/**
 * The licence texts of all packages these files are from.  @throws Error for a package without a licence: it must not
 * be shipped
 */
export function thirdPartyLicences(files: Iterable<string>): string {
  const packages = new Map<string, Package>();
  for (const file of files) {
    const found = packageOf(file);
    if (found && !found.private) packages.set(`${found.name} ${found.version}`, found);
  }
  const entries = [...packages].sort(([one], [other]) => one.localeCompare(other));
  return entries
    .map(([title, { license, folder }]) => `${title} (${license})\n\n${licenceText(folder)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package of a file: the nearest manifest above it with a name and a version. */
function packageOf(file: string): Package | undefined {
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

/** @throws Error for a package without a licence text */
function licenceText(folder: string): string {
  const textsOf = (names: RegExp) =>
    readdirSync(folder)
      .filter(name => names.test(name))
      .map(name => readFileSync(join(folder, name), 'utf8').trim());
  const own = textsOf(/^(licen[cs]e|copying|notice)/i);
  // Some packages have it only as a section of their README.
  const section = textsOf(/^readme/i).flatMap(text => /^#+\s*licen[cs]e[\s\S]*/im.exec(text)?.[0] ?? []);
  const text = [...(own.length > 0 ? own : section)].join('\n\n');
  if (text === '') throw new Error(`${folder} has no text of its licence`);
  return text;
}

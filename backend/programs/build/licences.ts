import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './packages.ts';

/** The licence texts of all these packages. @throws Error for a package without one: it must not be shipped */
export function thirdPartyLicences(packages: readonly ShippedPackage[]): string {
  return packages
    .map(({ name, version, license, folder }) => `${name} ${version} (${license})\n\n${licenceText(folder)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
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

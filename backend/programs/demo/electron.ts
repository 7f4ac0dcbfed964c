import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The path of Electron's binary if it is installed, read from the package's path file because importing the package
 * would download it.
 */
export function electronBinary(): string | undefined {
  const folder = dirname(createRequire(join(process.cwd(), 'device/package.json')).resolve('electron/package.json'));
  const nameFile = join(folder, 'path.txt');
  if (!existsSync(nameFile)) return undefined;
  const binary = join(folder, 'dist', readFileSync(nameFile, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export type ServedFile = { readonly body: Buffer; readonly type: string; readonly immutable: boolean };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.ico': 'image/x-icon',
};

/** The built renderer, by URL path. Only files present at start are served, so no path can leave the folder. */
export function servedFiles(directory: string): ReadonlyMap<string, ServedFile> {
  const files = new Map<string, ServedFile>();
  if (!existsSync(join(directory, 'index.html'))) return files;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = join(entry.parentPath, entry.name);
    const address = `/${relative(directory, file).split(sep).join('/')}`;
    // Asset names contain a hash of their content.
    files.set(address, { body: readFileSync(file), type, immutable: address.startsWith('/assets/') });
  }
  const index = files.get('/index.html');
  if (index) files.set('/', index);
  return files;
}

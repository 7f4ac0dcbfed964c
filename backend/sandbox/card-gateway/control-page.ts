import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';

/** The control interface for people: the page beside this file, served as it is. */
const files: Readonly<Record<string, { readonly type: string; readonly read: () => string }>> = {
  '/': { type: 'text/html', read: () => textOf('index.html') },
  '/style.css': { type: 'text/css', read: () => textOf('style.css') },
  '/app.js': { type: 'text/javascript', read: () => withoutTypes(textOf('app.ts')) },
};

/** Sends a file of the page; false where the path is none of it. */
export function sendPage(path: string, response: ServerResponse): boolean {
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (file === undefined) return false;
  response.writeHead(200, {
    'content-type': `${file.type}; charset=utf-8`,
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(file.read());
  return true;
}

function textOf(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');
}

/** Without Node's warning that this function is experimental. */
function withoutTypes(typeScript: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typeScript);
  } finally {
    process.emitWarning = emitWarning;
  }
}

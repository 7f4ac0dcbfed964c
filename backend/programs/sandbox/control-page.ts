import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { testerPageFiles } from '@florin/shared/files/tester-pages.ts';

/** Sends a file of a page; false if the path is not part of it. */
export type SendPage = (path: string, response: ServerResponse) => boolean;

/** A control page: `index.html` and `app.ts` of a folder, with the shared style and script. */
export function controlPage(folder: URL): SendPage {
  const files: Files = {
    ...designFiles(),
    '/': { type: 'text/html', read: () => textOf(new URL('index.html', folder)) },
    '/style.css': { type: 'text/css', read: () => textOf(new URL('page/style.css', import.meta.url)) },
    '/app.js': { type: 'text/javascript', read: () => withoutTypes(textOf(new URL('app.ts', folder))) },
    // The browser resolves the import `../../page/common.ts` to this path.
    '/page/common.ts': {
      type: 'text/javascript',
      read: () => withoutTypes(textOf(new URL('page/common.ts', import.meta.url))),
    },
  };
  return senderOf(files, "'none'");
}

/** A page that may be embedded in any site, under `path`: `<name>.html`, `<name>.css`, `<name>.ts` and what that imports. */
export function framedPage(folder: URL, path: string, name: string, imported: readonly string[]): SendPage {
  const script = (file: string) => ({
    type: 'text/javascript',
    read: () => withoutTypes(textOf(new URL(file, folder))),
  });
  const files: Files = {
    [path]: { type: 'text/html', read: () => textOf(new URL(`${name}.html`, folder)) },
    [`${path}/style.css`]: { type: 'text/css', read: () => textOf(new URL(`${name}.css`, folder)) },
    [`${path}/app.js`]: script(`${name}.ts`),
    ...Object.fromEntries(imported.map(file => [`${path}/${file}`, script(file)])),
  };
  return senderOf(files, 'http: https:');
}

type File = { readonly type: string; readonly read: () => string | Buffer };
type Files = Readonly<Record<string, File>>;

/** The font and style of all pages for testers. */
function designFiles(): Files {
  return Object.fromEntries(
    Object.entries(testerPageFiles()).map(([path, { type, content }]) => [path, { type, read: () => content }]),
  );
}

function senderOf(files: Files, ancestors: string): SendPage {
  return (path, response) => send(Object.hasOwn(files, path) ? files[path] : undefined, ancestors, response);
}

function send(file: File | undefined, ancestors: string, response: ServerResponse): boolean {
  if (file === undefined) return false;
  response.writeHead(200, {
    'content-type': file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type,
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(file.read());
  return true;
}

function textOf(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** JavaScript for a browser. Suppresses Node's warning that this function is experimental. */
export function withoutTypes(typeScript: string): string {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typeScript);
  } finally {
    process.emitWarning = emitWarning;
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AnyContract } from '@florin/shared/contracts/contract.ts';
import type { Document } from '../app.ts';
import { pagePolicy } from '../respond.ts';
import { apiDocuments } from './openapi.ts';

/** The descriptions of all APIs, and a reference for each that external software calls. */
export function documentsOf(contracts: readonly AnyContract[]): Readonly<Record<string, Document>> {
  const descriptions = Object.entries(apiDocuments(contracts)).map(([path, content]): [string, Document] => [
    path,
    { mediaType: 'application/json; charset=utf-8', content, isForPages: path.startsWith('/kiosk/v1/') },
  ]);
  return {
    ...Object.fromEntries(descriptions),
    ...referenceDocuments('/api/v1', 'Florin API'),
    ...referenceDocuments('/kiosk/v1', 'Florin kiosk API'),
  };
}

/**
 * The interactive reference of an API: Swagger UI over the description beside it. Everything it loads is served here, so that it
 * works without the internet and under a policy that allows no inline script and no other host.
 */
function referenceDocuments(prefix: string, title: string): Readonly<Record<string, Document>> {
  const at = `${prefix}/docs`;
  const css = (content: () => string | Uint8Array): Document => ({ mediaType: 'text/css; charset=utf-8', content });
  const script = (content: () => string | Uint8Array): Document => ({
    mediaType: 'text/javascript; charset=utf-8',
    content,
  });
  return {
    [at]: {
      mediaType: 'text/html; charset=utf-8',
      content: () => pageOf(at, title),
      contentSecurityPolicy: pagePolicy,
    },
    [`${at}/swagger-ui.css`]: css(packaged('swagger-ui.css')),
    [`${at}/swagger-ui.js`]: script(packaged('swagger-ui-bundle.js')),
    [`${at}/page.css`]: css(() => pageStyle),
    [`${at}/page.js`]: script(() => pageScript(`${prefix}/openapi.json`)),
  };
}

/** A file of the package, read on first use. */
function packaged(name: string): () => Uint8Array {
  let content: Uint8Array | undefined;
  return () => {
    const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    content ??= readFileSync(join(folder, name));
    return content;
  };
}

const pageOf = (at: string, title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: reference</title>
<link rel="stylesheet" href="${at}/swagger-ui.css">
<link rel="stylesheet" href="${at}/page.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The description it shows is at openapi.json beside it.</noscript>
<script src="${at}/swagger-ui.js"></script>
<script src="${at}/page.js"></script>
</body>
</html>
`;

/** A key that was typed in is not stored, and nothing is sent to a validator elsewhere. */
const pageScript = (description: string) => `SwaggerUIBundle({
  url: ${JSON.stringify(description)},
  dom_id: '#reference',
  docExpansion: 'list',
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/**
 * Colours with a contrast of at least 4.5 to 1, which Swagger UI's defaults lack; the server list is hidden because
 * there is only one.
 */
const pageStyle = `body { margin: 0; background: #fff; }
.swagger-ui .servers-title, .swagger-ui .servers { display: none; }
.swagger-ui .info .title small pre.version { background: #4d4d4d; border-radius: 0; }
.swagger-ui .info .title small.version-stamp { background: #3b6000; }
.swagger-ui .info .title small.version-stamp pre.version { background: transparent; }
.swagger-ui .info .link .url, .swagger-ui .info a { color: #1b57a6; }
.swagger-ui .btn.authorize { color: #14683f; border-color: #14683f; }
.swagger-ui .btn.authorize svg { fill: #14683f; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4d4d4d; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a5fa8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14683f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b5c; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3141b; }
`;

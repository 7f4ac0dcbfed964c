import { hash } from 'node:crypto';
import type { Assets } from '../ui/assets.ts';
import { Html, html } from '../ui/html.ts';
import { contentSecurityPolicy } from '../ui/policy.ts';

/**
 * The page that checks signed receipts, those of the service at this address. Style and script are in the page itself, so that it also works as a saved file,
 * without the service and without a network.
 */
export function verifierPage(assets: Assets, publicUrl: string): { readonly html: string; readonly policy: string } {
  const [style, script] = [assets.contentOf('style.css'), assets.contentOf('verify.js')];
  // A script that contains its own end tag would end there.
  if (/<\/script/i.test(script)) throw new Error('the script of the page cannot be put into it');
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Check a signed receipt</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<main class="sheet stack-large" id="verifier" data-issuer="${publicUrl}">
<div class="stack">
<h1 data-word="title">Check a signed receipt</h1>
<p id="about"></p>
<noscript><p class="notice notice-attention">This page needs JavaScript. Without it, use the command <code>npm run receipt -- verify</code>.</p></noscript>
</div>
<div class="labelled">
<label for="receipt-file" data-word="file">Signed receipt (a file, or its text)</label>
<input class="field" id="receipt-file" type="file" accept=".json,application/json">
<textarea class="field" id="receipt-text" rows="5" spellcheck="false" aria-labelledby="receipt-text-label"></textarea>
<span class="visually-hidden" id="receipt-text-label" data-word="text">Text of the signed receipt</span>
</div>
<details>
<summary data-word="offline">Check without a network</summary>
<div class="labelled">
<label for="keys-text" data-word="keys">Saved keys of the business</label>
<textarea class="field" id="keys-text" rows="5" spellcheck="false" aria-describedby="keys-from"></textarea>
<p class="muted small" id="keys-from"></p>
</div>
</details>
<div id="verdict" role="status"></div>
</main>
<script>${new Html(script)}</script>
</body>
</html>
`;
  return { html: document.text, policy: contentSecurityPolicy({ inline: { script: of(script), style: of(style) } }) };
}

const of = (content: string) => `'sha256-${hash('sha256', content, 'base64')}'`;

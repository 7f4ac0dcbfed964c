import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';

export type Page = {
  /** Shown in the browser's tab and announced first by screen readers. */
  readonly title: string;
  /** Language tag of the text. */
  readonly language: string;
  /** The merchant's name as customers know it, if any. */
  readonly merchant: string | null;
  readonly body: Html;
  /** When the page was rendered, for countdowns: a device's own clock may be wrong. */
  readonly servedAt?: number;
  /** The page's script by its entry in bundle.ts; pages are readable without it. */
  readonly script?: string;
  /** The interval at which browsers without scripts reload the page. */
  readonly refreshWithoutScriptSeconds?: number;
};

/** The amount, as large as fits on one line. */
export function amountLine(amount: string): Html {
  const size = amount.length > 18 ? ' amount-longest' : amount.length > 12 && ' amount-long';
  return html`<p class="amount${size}"><bdi>${amount}</bdi></p>`;
}

/** A complete document in the common design of all customer pages. */
export function documentOf(page: Page, assets: Assets): string {
  const { title, language, merchant, body, script, servedAt, refreshWithoutScriptSeconds: seconds } = page;
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.urlOf('style.css')}">
${script !== undefined && html`<script src="${assets.urlOf(script)}" defer></script>`}
${seconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`}
</head>
<body${servedAt !== undefined && html` data-served-at="${servedAt}"`}>
<main class="sheet">
${merchant !== null && html`<p class="merchant" dir="auto">${merchant}</p>`}
${body}
</main>
</body>
</html>
`;
  return document.text;
}

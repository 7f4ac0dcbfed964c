import { customerLanguages, type InCustomerLanguages } from '@florin/shared/languages.ts';
import { type Html, html } from './html.ts';
import type { Face, Presentation } from './presentation.ts';

export type Page = {
  /** Shown in the browser's tab and announced first by screen readers. */
  readonly title: string;
  /** What a messenger shows of a link to the page; by default its title. */
  readonly preview?: { readonly title: string; readonly description?: string };
  readonly body: Html;
  /** When the page was rendered, for countdowns: a device's own clock may be wrong. */
  readonly servedAt?: number;
  /** The page's script by its entry in bundle.ts; pages are readable without it. */
  readonly script?: string;
  /** The interval at which browsers without scripts reload the page. */
  readonly refreshWithoutScriptSeconds?: number;
  /** What the page's address asks for, which its other languages keep; undefined for a page without an address. */
  readonly query: Readonly<Record<string, string | undefined>> | undefined;
};

/** The amount, as large as fits on one line. */
export function amountLine(amount: string): Html {
  const size = amount.length > 18 ? ' amount-longest' : amount.length > 12 && ' amount-long';
  return html`<p class="amount${size}"><bdi>${amount}</bdi></p>`;
}

/** A complete document in the common design of all customer pages. */
export function documentOf(page: Page, { assets, writing, face }: Presentation): string {
  const { title, preview = { title }, body, script, servedAt, refreshWithoutScriptSeconds: seconds } = page;
  const { language, words } = writing;
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta property="og:type" content="website">
<meta property="og:title" content="${preview.title}">
${preview.description !== undefined && html`<meta property="og:description" content="${preview.description}">`}
${face && html`<meta property="og:site_name" content="${face.name}">`}
<link rel="icon" href="data:,">
<link rel="preload" href="${assets.urlOf('inter.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.urlOf('style.css')}">
${typeof face?.accentColour === 'string' && html`<link rel="stylesheet" href="/accents/${face.accentColour.slice(1)}.css">`}
${script !== undefined && html`<script src="${assets.urlOf(script)}" defer></script>`}
${seconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`}
</head>
<body${servedAt !== undefined && html` data-served-at="${servedAt}"`}${script !== undefined && html` data-words="${JSON.stringify(words.script)}"`}>
<main class="sheet">
${face && masthead(face)}
${body}
${page.query && languageSwitch(page.query, { language, label: words.languageSwitch })}
</main>
</body>
</html>
`;
  return document.text;
}

/** The name is beside the logo, which therefore needs no text of its own. */
function masthead({ name, logo }: Face): Html {
  return html`<div class="merchant">${
    logo && html`<img class="logo" src="${logo.url}" width="${logo.widthPx}" height="${logo.heightPx}" alt="">`
  }<p dir="auto">${name}</p></div>`;
}

/** Each in its own language. */
const languageNames: InCustomerLanguages<string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

function languageSwitch(
  query: NonNullable<Page['query']>,
  { language, label }: { readonly language: string; readonly label: string },
): Html {
  const kept = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const links = customerLanguages.map(each => {
    const name = languageNames[each];
    if (each === language) return html`<span lang="${each}" aria-current="true">${name}</span>`;
    const address = new URLSearchParams([...kept, ['lang', each]]);
    return html`<a href="?${address.toString()}" lang="${each}" hreflang="${each}" rel="nofollow">${name}</a>`;
  });
  return html`<nav class="languages" aria-label="${label}">${links}</nav>`;
}

/** A sentence around a value that may be written in another direction, such as a name or an amount. */
export function around(sentence: (value: string) => string, value: string): Html {
  const [before, after = ''] = sentence(place).split(place);
  return html`${before}<bdi>${value}</bdi>${after}`;
}

/** No language writes this character. */
const place = '\ue000';

import { type InLanguages, type Language, languages } from '@florin/shared/languages.ts';
import { languageOf } from '../../foundation/language.ts';
import { html } from '../ui/html.ts';
import type { Start } from './files.ts';

/** What a browser's cookies say about how the portal is shown. */
export type Appearance = {
  readonly theme: 'light' | 'dark' | undefined;
  readonly language: Language;
};

/** The appearance chosen in the portal, or else what the browser prefers. */
export function appearanceOf(cookie: (name: string) => string | undefined, accepted: readonly string[]): Appearance {
  const theme = cookie('florin_theme');
  const language = languages.find(each => each === cookie('florin_language')) ?? languageOf(accepted);
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    language: language ?? 'en',
  };
}

const withoutScript: InLanguages<string> = {
  en: 'The portal needs JavaScript. Please allow it for this address and load the page again.',
  de: 'Das Portal benötigt JavaScript. Bitte erlauben Sie es für diese Adresse, und laden Sie die Seite neu.',
};

/** The document of every address of the portal. */
export function portalDocument(
  { script, preloads, words, styles, font, icon }: Start,
  { theme, language }: Appearance,
): string {
  const document = html`<!doctype html>
<html lang="${language}"${theme !== undefined && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Florin</title>
<link rel="icon" href="/portal/${icon}" type="image/svg+xml">
<link rel="preload" href="/portal/${font}" as="font" type="font/woff2" crossorigin>
${styles.map(style => html`<link rel="stylesheet" href="/portal/${style}">`)}
<script type="module" src="/portal/${script}"></script>
${[...preloads, words[language]].map(preload => html`<link rel="modulepreload" href="/portal/${preload}">`)}
</head>
<body>
<div id="portal"></div>
<noscript><p>${withoutScript[language]}</p></noscript>
</body>
</html>
`;
  return document.text;
}

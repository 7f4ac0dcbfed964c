import type { ScriptWords } from '../../words/payer-words.ts';

/** What scripts say, in the page's language: the service wrote it into the page. */
export const words = JSON.parse(document.body.dataset.words ?? '{}') as ScriptWords;

/** The language chosen on the page, as the query of its other addresses; empty where none was chosen. */
export function languageQuery(): Readonly<Record<string, string>> {
  const lang = new URLSearchParams(location.search).get('lang');
  // One that there are no words in was not taken.
  return lang === document.documentElement.lang ? { lang } : {};
}

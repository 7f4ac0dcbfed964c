import type { InLanguages, Language } from '@florin/shared/languages.ts';
import type { Words } from './en.ts';
import { useLanguage } from './texts.ts';

const scripts: InLanguages<() => Promise<Words>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};
const loaded = new Map<Language, Words>();

/** Loads the words of a language, before anything is shown in it: the browser loads one language only. */
export async function loadWords(language: Language): Promise<void> {
  loaded.set(language, await scripts[language]());
}

/** The words of the shell and of what pages have in common, in the user's language. */
export function useWords(): Words {
  const words = loaded.get(useLanguage());
  if (words === undefined) throw new Error('the words of the language were not loaded');
  return words;
}

import type { InLanguages, Language } from '@florin/shared/languages.ts';
import { createContext, use } from 'react';

/** Declares texts: every language has the words of the English ones. */
export function texts<Words>(all: { readonly en: Words; readonly de: NoInfer<Words> }): InLanguages<Words> {
  return all;
}

export const LanguageContext = createContext<Language>('en');

/** The language that the user reads. */
export function useLanguage(): Language {
  return use(LanguageContext);
}

/** Texts in the user's language. */
export function useTexts<Words>(all: InLanguages<Words>): Words {
  return all[useLanguage()];
}

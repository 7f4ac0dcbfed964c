import type { Language } from '@florin/shared/languages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useState } from 'react';
import { keepForDocument } from '../platform/browser.ts';
import { LanguageContext } from './texts.ts';
import { loadWords } from './words.ts';

const ChangeContext = createContext<(language: Language) => Promise<void>>(async () => {});

/** Changes the language of the portal in this browser. */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  return use(ChangeContext);
}

/** The language that the server wrote into the document. */
export const languageOfDocument = (): Language => (document.documentElement.lang === 'de' ? 'de' : 'en');

/** The language of the document, until another one is chosen. Its words are loaded already. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(languageOfDocument);
  const client = useQueryClient();
  const change = async (to: Language) => {
    if (to === language) return;
    await loadWords(to);
    document.documentElement.lang = to;
    keepForDocument('florin_language', to);
    setLanguage(to);
    // The sentences that the service wrote are in the language before.
    void client.invalidateQueries();
  };
  return (
    <ChangeContext value={change}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </ChangeContext>
  );
}

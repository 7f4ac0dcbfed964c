import type { CustomerLanguage, InCustomerLanguages } from '@florin/shared/languages.ts';
import { createContext, use } from 'react';
import type { CustomerMessages } from '../customer/customer-messages.ts';
import { en as enCustomer } from '../customer/en.ts';
import { en, type StaffText } from './en.ts';

/** The texts of the renderer in one language. */
export type ScreenWords = { readonly staff: StaffText; readonly customer: CustomerMessages };

/** Loads the texts of a language. */
export type WordsOf = (language: CustomerLanguage) => Promise<ScreenWords>;

/** The texts that are there from the start. */
export const english: ScreenWords = { staff: en, customer: enCustomer };

/** Each language is a script of its own, so that a terminal reads no more than its own. */
const loaders: InCustomerLanguages<() => Promise<ScreenWords>> = {
  en: async () => english,
  de: async () => {
    const [{ de: staff }, { de: customer }] = await Promise.all([import('./de.ts'), import('../customer/de.ts')]);
    return { staff, customer };
  },
  fr: async () => {
    const [{ fr: staff }, { fr: customer }] = await Promise.all([import('./fr.ts'), import('../customer/fr.ts')]);
    return { staff, customer };
  },
  es: async () => {
    const [{ es: staff }, { es: customer }] = await Promise.all([import('./es.ts'), import('../customer/es.ts')]);
    return { staff, customer };
  },
};

/** Loads the texts of a language from the terminal. */
export const wordsOf: WordsOf = language => loaders[language]();

/** The texts in the language of the screen. */
export const WordsContext = createContext<ScreenWords>(english);

/** The texts for staff, in the language of the screen. */
export function useText(): StaffText {
  return use(WordsContext).staff;
}

/** The texts for customers, in the language of the screen. */
export function useMessages(): CustomerMessages {
  return use(WordsContext).customer;
}

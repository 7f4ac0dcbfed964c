import type { InCustomerLanguages, SameWords } from '@florin/shared/languages.ts';
import { createContext, use } from 'react';
import type { CustomerMessages } from '../customer/customer-messages.ts';
import { de as deCustomer } from '../customer/de.ts';
import { en as enCustomer } from '../customer/en.ts';
import { fr as frCustomer } from '../customer/fr.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/** All texts of the renderer for staff. */
export type StaffText = SameWords<typeof en>;

/** The texts of the renderer in one language. */
export type ScreenWords = { readonly staff: StaffText; readonly customer: CustomerMessages };

/** The texts of the renderer by language. */
export const screenWords: InCustomerLanguages<ScreenWords> = {
  en: { staff: en, customer: enCustomer },
  de: { staff: de, customer: deCustomer },
  fr: { staff: en, customer: frCustomer },
  es: { staff: en, customer: enCustomer },
};

/** The texts in the language of the screen. */
export const WordsContext = createContext<ScreenWords>(screenWords.en);

/** The texts for staff, in the language of the screen. */
export function useText(): StaffText {
  return use(WordsContext).staff;
}

/** The texts for customers, in the language of the screen. */
export function useMessages(): CustomerMessages {
  return use(WordsContext).customer;
}

import type { InCustomerLanguages } from '@florin/shared/languages.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import type { PayerWords } from './payer-words.ts';

/** What customers' pages say, in each of their languages. */
export const payerWords: InCustomerLanguages<PayerWords> = { en: english, de: german, fr: french, es: spanish };

import type { InCustomerLanguages } from '@florin/shared/languages.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import type { ReceiptWords } from './receipt-words.ts';

/** What receipts say, in each language of customers. */
export const receiptWords: InCustomerLanguages<ReceiptWords> = { en: english, de: german, fr: french, es: spanish };

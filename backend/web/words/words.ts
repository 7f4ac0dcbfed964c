import { receiptWords } from '../../money/receipts/words/words.ts';
import type { WordTables } from '../ui/writing.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';

/** What customers' pages say, in each of their languages. */
export const pageWords: WordTables = {
  payer: { en: english, de: german, fr: french, es: spanish },
  receipt: receiptWords,
};

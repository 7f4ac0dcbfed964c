import type { InLanguages } from '@florin/shared/languages.ts';
import { type Chosen, wordsIn } from '../../../foundation/language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { ReceiptWords } from './receipt-words.ts';

const receiptWords: InLanguages<ReceiptWords> = { en: english, de: german };

/** The words of a receipt in the first language that there are some in, and the locale of amounts and times beside them. */
export function receiptWordsFor(
  accepted: readonly string[],
  businessLocale: string,
): Chosen & { readonly words: ReceiptWords } {
  return wordsIn(receiptWords, accepted, businessLocale);
}

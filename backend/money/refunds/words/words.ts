import type { InLanguages } from '@florin/shared/languages.ts';
import { wordsIn } from '../../../foundation/language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { RefundWords } from './refund-words.ts';

const refundWords: InLanguages<RefundWords> = { en: english, de: german };

/** What is said about refunds, in the first language that there are words in. */
export function wordsFor(accepted: readonly string[], businessLocale: string): { words: RefundWords; locale: string } {
  return wordsIn(refundWords, accepted, businessLocale);
}

import type { InLanguages } from '@florin/shared/languages.ts';
import { wordsIn } from '../../../foundation/language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { ProblemWords } from './problem-words.ts';

/** What is said about problems. */
export const problemWords: InLanguages<ProblemWords> = { en: english, de: german };

/** What is said about problems, in the first language that there are words in. */
export function wordsFor(accepted: readonly string[], businessLocale: string): { words: ProblemWords; locale: string } {
  return wordsIn(problemWords, accepted, businessLocale);
}

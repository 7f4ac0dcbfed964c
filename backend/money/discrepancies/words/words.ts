import type { Language } from '@florin/shared/languages.ts';
import { wordsIn } from '../../../foundation/language.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import type { Meanings } from './meanings.ts';

/** In the first accepted language that there are words in, otherwise in English. */
export function meaningsFor(accepted: readonly string[]): Meanings {
  return wordsIn<Language, Meanings>({ en: english, de: german }, accepted, 'en').words;
}

import type { InLanguages } from '@florin/shared/languages.ts';
import type { AccountWords } from './account-words.ts';
import { german } from './de.ts';
import { english } from './en.ts';

/** What is said to users about their account, and to those who are invited. */
export const accountWords: InLanguages<AccountWords> = { en: english, de: german };

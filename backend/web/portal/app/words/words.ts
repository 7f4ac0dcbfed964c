import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { useTexts } from './texts.ts';

const all = { en, de };

/** The words of the shell and of what pages have in common, in the user's language. */
export function useWords(): Words {
  return useTexts(all);
}

import { type InLanguages, type Language, languages } from '@florin/shared/languages.ts';

/** A language, and the locale that amounts and dates are written in beside its words. */
export type Chosen = { readonly language: Language; readonly locale: string };

/**
 * The first accepted language that there are words in, with the business's own as the last choice. A language without a
 * region is written as in the business's region.
 */
export function chosenLanguage(accepted: readonly string[], businessLocale: string): Chosen {
  const own = localeOf(businessLocale);
  for (const tag of [...accepted, businessLocale]) {
    const asked = localeOf(tag);
    const locale = asked?.region === undefined && own?.language === asked?.language ? own : asked;
    const language = languages.find(each => each === locale?.language);
    if (locale && language !== undefined) return { language, locale: locale.toString() };
  }
  return { language: 'en', locale: 'en-GB' };
}

/** Words in the language chosen, and its locale. */
export function wordsIn<Words>(
  all: InLanguages<Words>,
  accepted: readonly string[],
  businessLocale: string,
): Chosen & { readonly words: Words } {
  const chosen = chosenLanguage(accepted, businessLocale);
  return { ...chosen, words: all[chosen.language] };
}

/** The first accepted language that there are words in; undefined if there is none. */
export function languageOf(accepted: readonly string[]): Language | undefined {
  return accepted
    .map(tag => languages.find(each => each === localeOf(tag)?.language))
    .find(language => language !== undefined);
}

/** Latin digits, as on cards and receipts; undefined if it is no language tag. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag, { numberingSystem: 'latn' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

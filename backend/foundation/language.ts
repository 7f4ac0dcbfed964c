import { type CustomerLanguage, type Language, languages } from '@florin/shared/languages.ts';

/** A language, and the locale that amounts and dates are written in beside its words. */
export type Chosen<Spoken extends CustomerLanguage = Language> = { readonly language: Spoken; readonly locale: string };

/** Words in several languages, of which English is one. */
type Spoken<Languages extends CustomerLanguage, Words> = Readonly<Record<Languages | 'en', Words>>;

/**
 * The first accepted language that there are words in, with the business's own as the last choice. A language without a
 * region is written as in the business's region.
 */
export function chosenLanguage(accepted: readonly string[], businessLocale: string): Chosen {
  return chosenAmong(languages, accepted, businessLocale);
}

function chosenAmong<Among extends CustomerLanguage>(
  among: readonly (Among | 'en')[],
  accepted: readonly string[],
  businessLocale: string,
): Chosen<Among | 'en'> {
  const own = localeOf(businessLocale);
  for (const tag of [...accepted, businessLocale]) {
    const asked = localeOf(tag);
    const locale = asked?.region === undefined && own?.language === asked?.language ? own : asked;
    const language = among.find(each => each === locale?.language);
    if (locale && language !== undefined) return { language, locale: locale.toString() };
  }
  return { language: 'en', locale: 'en-GB' };
}

/** Words in the language chosen among those that there are words in, and its locale. */
export function wordsIn<Among extends CustomerLanguage, Words>(
  all: Spoken<Among, Words>,
  accepted: readonly string[],
  businessLocale: string,
): Chosen<Among | 'en'> & { readonly words: Words } {
  const chosen = chosenAmong(Object.keys(all) as (Among | 'en')[], accepted, businessLocale);
  return { ...chosen, words: all[chosen.language] };
}

/** What is accepted by a reader who chose a language: in the region for which it was accepted before, if there is one. */
export function acceptedBy(reader: {
  readonly chosen?: string | undefined;
  readonly accepted: readonly string[];
}): readonly string[] {
  const { chosen, accepted } = reader;
  if (chosen === undefined) return accepted;
  return [...accepted.filter(tag => localeOf(tag)?.language === chosen), chosen, ...accepted];
}

/** The first accepted language of the portal; undefined if there is none. */
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

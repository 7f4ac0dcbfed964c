import { type CustomerLanguage, customerLanguages, type InCustomerLanguages } from '@florin/shared/languages.ts';
import { de } from './words/de.ts';
import { type CoreWords, en } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';

export type { CoreWords } from './words/en.ts';

/** The sentences of the core by language. */
export const coreWords: InCustomerLanguages<CoreWords> = { en, de, fr, es };

/** The language of a screen, and the locale of the amounts and times beside its words. */
export type ScreenLanguage = { readonly language: CustomerLanguage; readonly locale: string };

/** The names on a receipt, the words, and how times and amounts beside them are formatted. */
export type DisplaySettings = {
  readonly businessName: string;
  readonly terminalName: string;
  readonly words: CoreWords;
  readonly locale: string;
  readonly timeZone: string;
};

/** Of a receipt; without a terminal where the sale's record names none. */
export type ReceiptSettings = Omit<DisplaySettings, 'terminalName'> & { readonly terminalName: string | null };

/** The notices while no sale and no refund is in progress. */
export type TerminalNotice = keyof CoreWords['terminal'];
export type EnrolmentNotice = keyof CoreWords['enrolment'];

/** Where none of the business's own locale fits the words. */
const locales: InCustomerLanguages<string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };

/** The first tag whose language there are words in; undefined if there is none. */
export function languageOf(...tags: readonly (string | null | undefined)[]): CustomerLanguage | undefined {
  const wanted = tags.map(tag => tag?.split(/[-_]/)[0]?.toLowerCase());
  return wanted.flatMap(tag => customerLanguages.find(language => language === tag) ?? [])[0];
}

/** The words' language with the conventions of the first tag that speaks it. */
export function screenLanguage(language: CustomerLanguage, ...tags: readonly (string | null)[]): ScreenLanguage {
  const spoken = tags.find(tag => tag !== null && languageOf(tag) === language && isLocale(tag));
  return { language, locale: spoken ?? locales[language] };
}

let last: { readonly tag: string; readonly isLocale: boolean } | undefined;

/** Every screen asks several times about the same tag, and the answer takes long. */
function isLocale(tag: string): boolean {
  if (last?.tag !== tag) last = { tag, isLocale: isCanonical(tag) };
  return last.isLocale;
}

function isCanonical(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The languages that people are written to in. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Something in every language: one that lacks a language does not compile. */
export type InLanguages<Words> = Readonly<Record<Language, Words>>;

/** What is made for each language. */
export async function inEveryLanguage<Made>(make: (language: Language) => Promise<Made>): Promise<InLanguages<Made>> {
  const made = await Promise.all(languages.map(async language => [language, await make(language)] as const));
  return Object.fromEntries(made) as InLanguages<Made>;
}

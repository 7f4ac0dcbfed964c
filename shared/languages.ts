/** The languages of the portal and of what it sends to people of a business. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Something in every language of the portal: one that lacks a language does not compile. */
export type InLanguages<Words> = Readonly<Record<Language, Words>>;

/** The languages spoken where customers pay: payers' pages, receipts and the terminal. */
export const customerLanguages = ['en', 'de', 'fr', 'es'] as const;
export type CustomerLanguage = (typeof customerLanguages)[number];

/** Something in every language spoken where customers pay: one that lacks a language does not compile. */
export type InCustomerLanguages<Words> = Readonly<Record<CustomerLanguage, Words>>;

/** What is made for each language of the portal. */
export async function inEveryLanguage<Made>(make: (language: Language) => Promise<Made>): Promise<InLanguages<Made>> {
  const made = await Promise.all(languages.map(async language => [language, await make(language)] as const));
  return Object.fromEntries(made) as InLanguages<Made>;
}

/** The shape of a language's words: the others have the same keys, and sentences with the same parameters. */
export type SameWords<Words> = Words extends string
  ? string
  : Words extends null | number | ((...facts: never[]) => unknown)
    ? Words
    : { readonly [Key in keyof Words]: SameWords<Words[Key]> };

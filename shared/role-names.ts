import type { InLanguages, Language } from './languages.ts';
import type { BuiltInRole } from './roles.ts';

const builtIn: InLanguages<Readonly<Record<BuiltInRole, string>>> = {
  en: { owner: 'Owner', admin: 'Administrator', manager: 'Manager', cashier: 'Cashier', developer: 'Developer' },
  de: { owner: 'Inhaber', admin: 'Administrator', manager: 'Leitung', cashier: 'Kasse', developer: 'Entwicklung' },
};

/** What a role is called: a built-in one in the language, one of the business as it was named there. */
export function roleNameIn(language: Language, { id, name }: { readonly id: string; readonly name: string }): string {
  return Object.hasOwn(builtIn[language], id) ? builtIn[language][id as BuiltInRole] : name;
}

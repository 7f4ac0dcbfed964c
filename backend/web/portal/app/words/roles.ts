import { roleNameIn } from '@florin/shared/role-names.ts';
import { useLanguage } from './texts.ts';

/** What roles are called, in the user's language. */
export function useRoleNames(): (role: { readonly id: string; readonly name: string }) => string {
  const language = useLanguage();
  return role => roleNameIn(language, role);
}

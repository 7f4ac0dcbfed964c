import { permissionNames as english } from 'virtual:contracts';
import { germanPermissionNames } from '@florin/shared/permission-names.ts';
import type { Permission } from '@florin/shared/permissions.ts';
import { texts, useTexts } from './texts.ts';

type Named = Readonly<Record<Permission, string>>;

const all = texts<Named>({ en: english, de: germanPermissionNames });

/** What permissions are called, in the user's language. */
export function usePermissionNames(): (code: string) => string {
  const named = useTexts(all);
  return code => named[code as Permission] ?? code;
}

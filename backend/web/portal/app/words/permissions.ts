import type { Permission } from '@florin/shared/permissions.ts';
import { useWords } from './words.ts';

/** What permissions are called, in the user's language. */
export function usePermissionNames(): (code: string) => string {
  const { permissions } = useWords();
  return code => permissions[code as Permission] ?? code;
}

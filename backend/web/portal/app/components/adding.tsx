import type { Permission } from '@florin/shared/permissions.ts';
import { useMay } from '../session/session.ts';
import { Button } from './button.tsx';
import { useFilters } from './list-state.tsx';

/** The button that opens a page's drawer for a new row, and whether it is open; neither for who may not add one. */
export function useAdding(permission: Permission, label: string) {
  const may = useMay()(permission);
  const { search, change } = useFilters();
  const add = may ? (
    <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
      {label}
    </Button>
  ) : undefined;
  return { add, isAdding: may && search.new !== undefined, endAdding: () => change({ new: undefined }) };
}

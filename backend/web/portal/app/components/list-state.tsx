import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { PageLink, type Search } from '../shell/page-link.tsx';
import { useWords } from '../words/words.ts';
import { Icon } from './icon.tsx';

/** What an address says of the form or the record that is open over the list, which is no filter. */
const ofOverlays = ['new', 'do', 'open'];

/** The filters of the list on screen: they are in its address, so that it can be shared, reloaded and gone back to. */
export function useFilters() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  /** Typing replaces the entry in the browser's history; a filter always starts at the newest row. */
  const change = (changes: Readonly<Record<string, string | undefined>>) => {
    const isFilter = Object.keys(changes).some(name => !ofOverlays.includes(name));
    const next = Object.entries({ ...search, ...(isFilter ? { cursor: undefined } : {}), ...changes });
    const given = Object.fromEntries(next.filter(([, value]) => value !== undefined && value !== ''));
    void navigate({ to: '.', search: given, replace: true });
  };
  const query: Search = Object.fromEntries(Object.entries(search).filter(([name]) => !ofOverlays.includes(name)));
  const { cursor, ...filters } = query;
  return { search, query, filters, cursor, change, isFiltered: Object.keys(filters).length > 0 };
}

type Trail = { readonly cursors?: readonly string[] };

/** Links to older and newer rows. The way back is kept with the browser's history; a shared address leads to the newest. */
export function Pager({ nextCursor }: { readonly nextCursor: string | null }) {
  const words = useWords();
  const { filters, cursor } = useFilters();
  const { pathname, state } = useRouterState({ select: ({ location }) => location });
  const trail = (state as Trail).cursors ?? [];
  if (nextCursor === null && cursor === undefined) return null;
  const previous = trail.at(-1);
  const newer: Search = previous === undefined || previous === '' ? filters : { ...filters, cursor: previous };
  return (
    <nav className="pager" aria-label={words.list.pages}>
      {cursor === undefined ? (
        <span />
      ) : (
        <PageLink
          path={pathname}
          search={newer}
          state={{ cursors: trail.slice(0, -1) }}
          className="button button-quiet"
        >
          <Icon name="back" />
          <span>{trail.length > 0 ? words.actions.newer : words.actions.newest}</span>
        </PageLink>
      )}
      {nextCursor === null ? null : (
        <PageLink
          path={pathname}
          search={{ ...filters, cursor: nextCursor }}
          state={{ cursors: [...trail, cursor ?? ''] }}
          className="button button-quiet"
        >
          <span>{words.actions.older}</span>
          <Icon name="forward" />
        </PageLink>
      )}
    </nav>
  );
}

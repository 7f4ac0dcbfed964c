import { useBusiness } from '../session/session.ts';
import type { Search } from '../shell/page-link.tsx';
import { nextDay, startOfDay } from '../words/zone.ts';
import { useFilters } from './list-state.tsx';

/** The filters of a list as its operation takes them: days from and to are instants in the business's time zone. */
export function useDayQuery(): { readonly filters: Search; readonly query: Search } {
  const { filters: typed, cursor } = useFilters();
  const { timeZone } = useBusiness();
  const { from, to, ...exact } = typed;
  const filters: Search = {
    ...exact,
    ...(from === undefined ? {} : { from: startOfDay(from, timeZone) }),
    ...(to === undefined ? {} : { to: startOfDay(nextDay(to), timeZone) }),
  };
  return { filters, query: cursor === undefined ? filters : { ...filters, cursor } };
}

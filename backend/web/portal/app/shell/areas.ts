import { useProblems } from '../api/use-problems.ts';
import { type Area, areas } from '../pages.ts';
import { useMaySee } from '../session/session.ts';

/** The areas that the user may see, in the order of the navigation, each with the first of its pages that they may see. */
export function useAreas(): readonly Area[] {
  const maySee = useMaySee();
  const { items } = useProblems();
  return areas.flatMap(area => {
    const page = [area.page, ...(area.also ?? [])].find(maySee);
    return page === undefined || (area.isOccasional && items.length === 0) ? [] : [{ ...area, page }];
  });
}

import { useProblems } from '../../api/use-problems.ts';
import { useFilters } from '../../components/list-state.tsx';
import { Blank, Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Card, PageHead } from '../../components/page.tsx';
import { useMay } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { DecisionDrawer } from './decision-drawer.tsx';
import { ProblemList } from './problem-list.tsx';
import { problemsTexts } from './texts.ts';

/** What needs a person now, the most urgent first, each with one button. */
export function Page() {
  const text = useTexts(problemsTexts);
  const formats = useFormats();
  const may = useMay();
  const { read, items } = useProblems();
  const { search, change } = useFilters();
  const decided = items.find(({ id, action }) => id === search.do && action !== null && may(action.permission));
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
        {({ checkedAt }) =>
          items.length === 0 ? (
            <Blank icon="check" title={text.none}>
              <p>{text.noneWhy(formats.time(checkedAt))}</p>
            </Blank>
          ) : (
            <Card>
              <ProblemList problems={items} />
            </Card>
          )
        }
      </Loaded>
      {decided === undefined ? null : <DecisionDrawer problem={decided} onClose={() => change({ do: undefined })} />}
    </>
  );
}

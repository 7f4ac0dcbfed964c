import type { DiscrepancyRecord } from '@florin/shared/contracts/api-v1/discrepancies.ts';
import { useRead } from '../../api/use-read.ts';
import { ChoiceFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Money, Time } from '../../components/values.tsx';
import { useBusiness } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { DiscrepancyDrawer } from './discrepancy-drawer.tsx';
import { discrepanciesTexts } from './texts.ts';

function useColumns(): readonly Column<DiscrepancyRecord>[] {
  const text = useTexts(discrepanciesTexts);
  const { currency } = useBusiness();
  return [
    {
      id: 'what',
      header: text.what,
      cell: ({ kind }) => <span className="strong">{text.kinds[kind]}</span>,
      onCard: 'lead',
    },
    { id: 'found', header: text.found, cell: ({ createdAt }) => <Time at={createdAt} />, onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ status }) => <Status tone={status === 'open' ? 'attention' : 'done'}>{text.statuses[status]}</Status>,
      onCard: 'state',
    },
    {
      id: 'held',
      header: text.held,
      isNumber: true,
      cell: ({ contestedInCents }) =>
        contestedInCents === 0 ? '–' : <Money minor={contestedInCents} currency={currency} />,
    },
  ];
}

/** Where the gateway and the records contradict each other, and how that was resolved. */
export function Page() {
  const text = useTexts(discrepanciesTexts);
  const { search, query, change } = useFilters();
  const read = useRead('listDiscrepancies', { query: { ...query, limit: 50 } }, { refetchMs: 30_000 });
  const columns = useColumns();
  const opened = read.data?.items.find(({ id }) => id === search.open);
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs area="settlements" />
      <FilterBar list="discrepancies">
        <ChoiceFilter name="status" label={text.state} choices={Object.entries(text.statuses)} />
      </FilterBar>
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: 'settlements/discrepancies', search: { ...query, open: id } })}
        text={text}
        icon="check"
      />
      {opened === undefined ? null : (
        <DiscrepancyDrawer discrepancy={opened} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

import type { AuditEntryRecord } from '@florin/shared/contracts/api-v1/audit.ts';
import { useRead, useReadAll } from '../../api/use-read.ts';
import { ChainCheck } from '../../components/chain-check.tsx';
import { useDayQuery } from '../../components/day-query.ts';
import { ExportButton } from '../../components/export.tsx';
import { ChoiceFilter, DayFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { auditTexts } from './texts.ts';

function useColumns(): readonly Column<AuditEntryRecord>[] {
  const text = useTexts(auditTexts);
  return [
    {
      id: 'time',
      header: text.time,
      cell: ({ recordedAt }) => (
        <span className="nowrap">
          <Time at={recordedAt} />
        </span>
      ),
      onCard: 'detail',
    },
    {
      id: 'what',
      header: text.what,
      cell: ({ sentence }) => <span className="clamped">{sentence}</span>,
      onCard: 'lead',
    },
    {
      id: 'kind',
      header: text.kind,
      cell: ({ kind }) => <span className="nowrap">{text.kinds[kind]}</span>,
      isExtra: true,
    },
    {
      id: 'who',
      header: text.who,
      cell: ({ actor }) => <span className="nowrap">{actor.name ?? text.actors[actor.kind]}</span>,
      onCard: 'detail',
    },
  ];
}

/** What people, keys and terminals did, as a chain that can be verified. */
export function Page() {
  const text = useTexts(auditTexts);
  const words = useWords();
  const { search, query: shown, change } = useFilters();
  const { filters, query } = useDayQuery();
  const read = useRead('listAuditEntries', { query: { ...query, limit: 50 } });
  const team = useReadAll('listTeam');
  const columns = useColumns();
  const opened = read.data?.items.find(({ id }) => id === search.open);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={<ExportButton list="audit" filters={filters} />} />
      <Tabs area="settings" />
      <ChainCheck />
      <FilterBar list="audit">
        <ChoiceFilter name="kind" label={text.kind} choices={Object.entries(text.kinds)} />
        <ChoiceFilter
          name="actorId"
          label={text.member}
          choices={(team.data ?? []).map(({ id, name }) => [id, name] as const)}
        />
        <DayFilter name="from" label={words.list.from} />
        <DayFilter name="to" label={words.list.to} />
      </FilterBar>
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: 'settings/audit', search: { ...shown, open: id } })}
        text={text}
        icon="lock"
      />
      {opened === undefined ? null : <EntryDrawer entry={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

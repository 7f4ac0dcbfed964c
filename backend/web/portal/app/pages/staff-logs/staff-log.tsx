import type { StaffLogEntry } from '@florin/shared/contracts/api-v1/staff-logs.ts';
import { useRead, useReadAll } from '../../api/use-read.ts';
import { ChainCheck } from '../../components/chain-check.tsx';
import { useDayQuery } from '../../components/day-query.ts';
import { ExportButton } from '../../components/export.tsx';
import { ChoiceFilter, DayFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Money, Time } from '../../components/values.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { EntryDrawer } from './entry-drawer.tsx';
import { ProtectionOff } from './protection-off.tsx';
import { Result } from './result.tsx';
import { staffLogTexts } from './texts.ts';

export type Log = 'refunds' | 'voids';

function useColumns(log: Log): readonly Column<StaffLogEntry>[] {
  const text = useTexts(staffLogTexts);
  const amount: Column<StaffLogEntry> = {
    id: 'amount',
    header: text.amount,
    isNumber: true,
    onCard: 'amount',
    cell: ({ amountInCents, sale }) =>
      amountInCents === null ? '–' : <Money minor={amountInCents} currency={sale.currency} />,
  };
  return [
    { id: 'time', header: text.time, cell: ({ attemptedAt }) => <Time at={attemptedAt} />, onCard: 'detail' },
    {
      id: 'staff',
      header: text.staff,
      onCard: 'lead',
      cell: ({ staff, requestedBy }) => (
        <>
          <span className="strong">{staff.name}</span> <span className="muted">{staff.staffNumber}</span>
          {requestedBy === null ? null : <span className="muted"> {text.approves(requestedBy.name)}</span>}
        </>
      ),
    },
    { id: 'terminal', header: text.terminal, cell: ({ terminal }) => terminal.name ?? '–', onCard: 'detail' },
    {
      id: 'sale',
      header: text.sale,
      cell: ({ sale }) => <span className="nowrap">{sale.invoiceNumber}</span>,
      onCard: 'detail',
    },
    {
      id: 'sold',
      header: text.sold,
      isNumber: true,
      isExtra: true,
      cell: ({ sale }) => <Money minor={sale.amountInCents} currency={sale.currency} />,
    },
    ...(log === 'refunds' ? [amount] : []),
    { id: 'result', header: text.result, cell: entry => <Result entry={entry} />, onCard: 'state' },
  ];
}

/** One of the logs of password checks at terminals. */
export function StaffLog({ log }: { readonly log: Log }) {
  const text = useTexts(staffLogTexts);
  const words = useWords();
  const { search, change, query: shown } = useFilters();
  const { filters, query } = useDayQuery();
  const columns = useColumns(log);
  const staff = useReadAll('listStaff');
  const page = { query: { ...query, limit: 50 } };
  const refunds = useRead('listRefundLog', page, { enabled: log === 'refunds' });
  const voids = useRead('listVoidLog', page, { enabled: log === 'voids' });
  const read = log === 'refunds' ? refunds : voids;
  const path = log === 'refunds' ? 'staff/refund-log' : 'staff/void-log';
  const opened = read.data?.items.find(({ id }) => id === search.open);
  const statuses = (['authorized', 'failed', 'limit_exceeded', 'daily_limit_exceeded'] as const)
    .slice(0, log === 'voids' ? 2 : undefined)
    .map(each => [each, text.statuses[each]] as const);
  return (
    <>
      <PageHead
        title={text[log]}
        about={log === 'refunds' ? text.refundsAbout : text.voidsAbout}
        actions={<ExportButton list={log === 'refunds' ? 'refund-log' : 'void-log'} filters={filters} />}
      />
      <Tabs area="staff" />
      <ProtectionOff />
      <ChainCheck />
      <FilterBar list={log === 'refunds' ? 'refund-log' : 'void-log'}>
        <ChoiceFilter
          name="staffId"
          label={text.member}
          choices={(staff.data ?? []).map(({ id, name }) => [id, name] as const)}
        />
        <ChoiceFilter name="status" label={text.status} choices={statuses} />
        <DayFilter name="from" label={words.list.from} />
        <DayFilter name="to" label={words.list.to} />
      </FilterBar>
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: path, search: { ...shown, open: id } })}
        text={{ ...text, caption: text[log] }}
        icon="staff"
      />
      {opened === undefined ? null : <EntryDrawer entry={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

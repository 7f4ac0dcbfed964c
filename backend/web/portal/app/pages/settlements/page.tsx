import type { SettlementRecord } from '@florin/shared/contracts/api-v1/settlements.ts';
import { useRead } from '../../api/use-read.ts';
import { ExportButton } from '../../components/export.tsx';
import { DayFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { SettlementState } from './settlement-state.tsx';
import { settlementsTexts } from './texts.ts';

function useColumns(): readonly Column<SettlementRecord>[] {
  const text = useTexts(settlementsTexts);
  const formats = useFormats();
  const amount = (
    id: string,
    header: string,
    of: (settlement: SettlementRecord) => number,
  ): Column<SettlementRecord> => ({
    id,
    header,
    isNumber: true,
    cell: settlement => <Money minor={of(settlement)} currency={settlement.currency} />,
  });
  return [
    {
      id: 'day',
      header: text.day,
      cell: ({ day }) => <span className="strong">{day === null ? text.ofAwaiting : formats.mediumDay(day)}</span>,
      onCard: 'lead',
    },
    { id: 'state', header: text.state, cell: ({ status }) => <SettlementState status={status} />, onCard: 'state' },
    {
      id: 'account',
      header: text.account,
      cell: ({ gatewayAccount }) => gatewayAccount.name,
      onCard: 'detail',
      isExtra: true,
    },
    amount('gross', text.gross, ({ grossInCents }) => grossInCents),
    amount('voided', text.voided, ({ voidedInCents, rejectedInCents }) => -(voidedInCents + rejectedInCents)),
    amount('refunded', text.refunded, ({ refundedInCents }) => -refundedInCents),
    {
      id: 'net',
      header: text.net,
      isNumber: true,
      cell: ({ netInCents, currency }) => (
        <span className="strong">
          <Money minor={netInCents} currency={currency} />
        </span>
      ),
      onCard: 'amount',
    },
  ];
}

/** What the bank pays out for each day. */
export function Page() {
  const text = useTexts(settlementsTexts);
  const words = useWords();
  const { query, filters } = useFilters();
  const read = useRead('listSettlements', { query: { ...query, limit: 50 } }, { refetchMs: 60_000 });
  const columns = useColumns();
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={<ExportButton list="settlements" filters={filters} />} />
      <Tabs area="settlements" />
      <FilterBar list="settlements">
        <DayFilter name="from" label={words.list.from} />
        <DayFilter name="to" label={words.list.to} />
      </FilterBar>
      <List read={read} columns={columns} pageOf={({ id }) => `settlements/${id}`} text={text} icon="settlements" />
    </>
  );
}

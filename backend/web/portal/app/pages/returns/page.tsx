import type { BitcoinClaimFacts } from '@florin/shared/contracts/api-v1/bitcoin-claims.ts';
import { useRead } from '../../api/use-read.ts';
import { ChoiceFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status, type Tone } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { leftOf, ReturnDrawer } from './return-drawer.tsx';
import { returnsTexts } from './texts.ts';

const tones: Readonly<Record<BitcoinClaimFacts['status'], Tone>> = {
  open: 'doing',
  requested: 'attention',
  disputed: 'refused',
  returned: 'done',
};

function useColumns(): readonly Column<BitcoinClaimFacts>[] {
  const text = useTexts(returnsTexts);
  const formats = useFormats();
  return [
    {
      id: 'what',
      header: text.what,
      cell: ({ purpose }) => <span className="strong">{text.purposes[purpose]}</span>,
      onCard: 'lead',
    },
    { id: 'since', header: text.since, cell: ({ createdAt }) => <Time at={createdAt} />, onCard: 'detail' },
    { id: 'reason', header: text.reason, cell: ({ reason }) => text.reasons[reason], onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ status }) => <Status tone={tones[status]}>{text.statuses[status]}</Status>,
      onCard: 'state',
    },
    {
      id: 'left',
      header: text.left,
      isNumber: true,
      cell: claim => <span className="strong nowrap">{formats.sats(leftOf(claim))}</span>,
      onCard: 'amount',
    },
  ];
}

/** Bitcoin that is to be returned to customers. */
export function Page() {
  const text = useTexts(returnsTexts);
  const { search, query, change } = useFilters();
  const read = useRead('listBitcoinClaims', { query: { ...query, limit: 50 } }, { refetchMs: 30_000 });
  const columns = useColumns();
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs area="links" />
      <FilterBar list="returns">
        <ChoiceFilter name="status" label={text.state} choices={Object.entries(text.statuses)} />
        <ChoiceFilter name="purpose" label={text.what} choices={Object.entries(text.purposes)} />
      </FilterBar>
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: 'returns', search: { ...query, open: id } })}
        text={text}
        icon="returned"
      />
      {search.open === undefined ? null : <ReturnDrawer id={search.open} onClose={() => change({ open: undefined })} />}
    </>
  );
}

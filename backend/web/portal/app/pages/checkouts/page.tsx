import type { CheckoutRecord } from '@florin/shared/contracts/api-v1/checkouts.ts';
import { useRead } from '../../api/use-read.ts';
import { ChoiceFilter, FilterBar, TextFilter } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { CheckoutState } from './checkout-state.tsx';
import { checkoutsTexts } from './texts.ts';

function useColumns(): readonly Column<CheckoutRecord>[] {
  const text = useTexts(checkoutsTexts);
  const formats = useFormats();
  return [
    {
      id: 'order',
      header: text.order,
      cell: ({ orderId }) => <span className="strong">{orderId}</span>,
      onCard: 'lead',
    },
    { id: 'created', header: text.created, cell: ({ createdAt }) => <Time at={createdAt} />, onCard: 'detail' },
    { id: 'state', header: text.state, cell: checkout => <CheckoutState checkout={checkout} />, onCard: 'state' },
    {
      id: 'reference',
      header: text.reference,
      cell: ({ externalReference }) => externalReference ?? '–',
      isExtra: true,
    },
    {
      id: 'sats',
      header: text.sats,
      isNumber: true,
      cell: ({ amountSats }) => <span className="nowrap">{formats.sats(amountSats)}</span>,
      onCard: 'detail',
    },
    {
      id: 'amount',
      header: text.amount,
      isNumber: true,
      cell: ({ amount, currency }) => <span className="strong nowrap">{formats.money(amount, currency)}</span>,
      onCard: 'amount',
    },
  ];
}

/** The hosted checkouts of the business. */
export function Page() {
  const text = useTexts(checkoutsTexts);
  const { query, cursor } = useFilters();
  const read = useRead(
    'listCheckouts',
    { query: { ...query, limit: 50 } },
    { refetchMs: cursor === undefined ? 15_000 : false },
  );
  const columns = useColumns();
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <Tabs area="links" />
      <FilterBar list="checkouts">
        <TextFilter name="orderId" label={text.order} />
        <TextFilter name="externalReference" label={text.reference} />
        <ChoiceFilter name="status" label={text.state} choices={Object.entries(text.statuses)} />
      </FilterBar>
      <List read={read} columns={columns} pageOf={({ id }) => `checkouts/${id}`} text={text} icon="links" />
    </>
  );
}

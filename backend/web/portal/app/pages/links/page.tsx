import type { PaymentLink } from '@florin/shared/contracts/api-v1/payment-links.ts';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { ChoiceFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { CopyButton, Money, Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { LinkStatus } from './link-status.tsx';
import { NewLink } from './new-link.tsx';
import { linksTexts } from './texts.ts';

function useColumns(): readonly Column<PaymentLink>[] {
  const text = useTexts(linksTexts);
  const formats = useFormats();
  const short = (description: string) => (description.length > 60 ? `${description.slice(0, 59)}…` : description);
  return [
    { id: 'description', header: text.description, cell: ({ description }) => short(description), onCard: 'lead' },
    { id: 'state', header: text.state, cell: link => <LinkStatus link={link} />, onCard: 'state' },
    {
      id: 'expires',
      header: text.expires,
      cell: ({ expiresAt }) => <Time at={expiresAt} as="date" />,
      onCard: 'detail',
      isExtra: true,
    },
    {
      id: 'paid',
      header: text.paid,
      isNumber: true,
      cell: ({ amountPaidInCents, currency }) => <Money minor={amountPaidInCents} currency={currency} />,
      isExtra: true,
    },
    {
      id: 'amount',
      header: text.amount,
      isNumber: true,
      cell: ({ amountInCents, currency }) => (
        <span className="strong nowrap">{formats.money(amountInCents, currency)}</span>
      ),
      onCard: 'amount',
    },
    {
      id: 'copy',
      header: '',
      isNumber: true,
      cell: ({ url }) => <CopyButton text={url} label={text.copyUrl} kind="bare" />,
    },
  ];
}

/** The payment links of the business. */
export function Page() {
  const text = useTexts(linksTexts);
  const { query } = useFilters();
  const read = useRead('listPaymentLinks', { query: { ...query, limit: 50 } });
  const columns = useColumns();
  const { add, isAdding, endAdding } = useAdding('take-payments:write', text.new);
  const statuses = (['ACTIVE', 'PARTIALLY_PAID', 'PAID', 'EXPIRED'] as const).map(
    each => [each, text.statuses[each]] as const,
  );
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="links" />
      <FilterBar list="links">
        <ChoiceFilter name="status" label={text.state} choices={statuses} />
      </FilterBar>
      <List read={read} columns={columns} pageOf={({ id }) => `links/${id}`} text={text} icon="links" />
      {isAdding ? <NewLink onClose={endAdding} /> : null}
    </>
  );
}

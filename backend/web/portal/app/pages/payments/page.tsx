import type { SearchTerm } from '@florin/shared/contracts/payment-search.ts';
import { useRead } from '../../api/use-read.ts';
import { useDayQuery } from '../../components/day-query.ts';
import { ExportButton } from '../../components/export.tsx';
import { ChoiceFilter, DayFilter, FilterBar, TextFilter } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { NewRows } from '../../components/new-rows.tsx';
import { PageHead } from '../../components/page.tsx';
import { SearchedBack } from '../../components/searched-back.tsx';
import { List } from '../../components/table.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { usePaymentColumns } from './columns.tsx';
import { paymentsTexts } from './texts.ts';

const statuses = [
  'pending',
  'unsettled',
  'settled',
  'partly_refunded',
  'refunded',
  'cancelled',
  'declined',
  'failed',
  'settlement_rejected',
] as const;
const methods = ['card', 'apple_pay', 'google_pay', 'lightning', 'onchain'] as const;

/** The payments of the business. */
export function Page() {
  const text = useTexts(paymentsTexts);
  const words = useWords();
  const { cursor } = useFilters();
  const { filters, query } = useDayQuery();
  const columns = usePaymentColumns();
  const read = useRead('listPayments', { query: { ...query, limit: 50 } });
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={<ExportButton list="payments" filters={filters} />} />
      <FilterBar list="payments">
        <TextFilter name="q" label={words.list.search} hint={text.searchHint} />
        <ChoiceFilter name="status" label={text.status} choices={statuses.map(each => [each, words.statuses[each]])} />
        <ChoiceFilter name="method" label={text.method} choices={methods.map(each => [each, words.methods[each]])} />
        <DayFilter name="from" label={words.list.from} />
        <DayFilter name="to" label={words.list.to} />
      </FilterBar>
      {cursor === undefined ? <NewRows onShow={() => void read.refetch()} /> : null}
      {read.data?.searchedFor ? <SearchedFor terms={read.data.searchedFor} /> : null}
      <SearchedBack to={read.data?.searchedBackTo} />
      <List read={read} columns={columns} pageOf={({ id }) => `payments/${id}`} text={text} icon="payments" />
    </>
  );
}

/** A decimal number such as 1234.50 as the reader writes it, with as many decimals. */
function decimalIn(locale: string, value: string): string {
  return Number(value).toLocaleString(locale, { minimumFractionDigits: value.split('.')[1]?.length ?? 0 });
}

/** What the search text was taken for. */
function SearchedFor({ terms }: { readonly terms: readonly SearchTerm[] }) {
  const text = useTexts(paymentsTexts);
  const { locale, mediumDay } = useFormats();
  const written = ({ field, value }: SearchTerm) => {
    if (field === 'amount') return decimalIn(locale, value);
    return field === 'day' ? mediumDay(value) : value;
  };
  const words = terms.map(term => `${text.fields[term.field]} ${written(term)}`);
  return <p className="small muted searched-for">{text.searchedFor(words.join(', '))}</p>;
}

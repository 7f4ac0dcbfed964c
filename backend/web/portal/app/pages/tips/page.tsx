import type { TipLinkRecord } from '@florin/shared/contracts/api-v1/tip-links.ts';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { NewTipLink } from './new-tip-link.tsx';
import { tipsTexts } from './texts.ts';

function useColumns(): readonly Column<TipLinkRecord>[] {
  const text = useTexts(tipsTexts);
  const formats = useFormats();
  return [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    { id: 'address', header: text.address, cell: ({ lightningAddress }) => lightningAddress, onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ deletedAt }) =>
        deletedAt === null ? <Status tone="done">{text.active}</Status> : <Status tone="ended">{text.deleted}</Status>,
      onCard: 'state',
    },
    { id: 'tips', header: text.tips, isNumber: true, cell: ({ tipCount }) => formats.number(tipCount) },
    {
      id: 'received',
      header: text.received,
      isNumber: true,
      cell: ({ receivedSats }) => <span className="strong nowrap">{formats.sats(receivedSats)}</span>,
      onCard: 'amount',
    },
  ];
}

/** The tip links of the business. */
export function Page() {
  const text = useTexts(tipsTexts);
  const { query } = useFilters();
  const read = useRead('listTipLinks', { query: { ...query, limit: 50 } });
  const columns = useColumns();
  const { add, isAdding, endAdding } = useAdding('tip-links:write', text.new);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="links" />
      <List read={read} columns={columns} pageOf={({ id }) => `tips/${id}`} text={text} icon="bolt" begin={add} />
      {isAdding ? <NewTipLink onClose={endAdding} /> : null}
    </>
  );
}

import type { WithdrawalRecord } from '@florin/shared/contracts/api-v1/withdrawals.ts';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../components/button.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status, type Tone } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { isWithdrawing, NewWithdrawal } from './new-withdrawal.tsx';
import { withdrawalsTexts } from './texts.ts';
import { WithdrawalDrawer } from './withdrawal-drawer.tsx';

const tones: Readonly<Record<WithdrawalRecord['status'], Tone>> = {
  pending: 'doing',
  completed: 'done',
  failed: 'ended',
  unknown: 'attention',
};

const isUnderWay = ({ status }: WithdrawalRecord) => status === 'pending' || status === 'unknown';
/** The beginning and the end of an address or invoice: what people compare. */
const short = (destination: string) =>
  destination.length > 28 ? `${destination.slice(0, 14)}…${destination.slice(-10)}` : destination;

function useColumns(): readonly Column<WithdrawalRecord>[] {
  const text = useTexts(withdrawalsTexts);
  const words = useWords();
  const formats = useFormats();
  return [
    { id: 'time', header: text.time, cell: ({ createdAt }) => <Time at={createdAt} />, onCard: 'detail' },
    {
      id: 'to',
      header: text.to,
      cell: ({ destination }) => <code title={destination}>{short(destination)}</code>,
      onCard: 'lead',
    },
    { id: 'over', header: text.over, cell: ({ network }) => words.methods[network], onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ status }) => <Status tone={tones[status]}>{text.statuses[status]}</Status>,
      onCard: 'state',
    },
    {
      id: 'fee',
      header: text.fee,
      isNumber: true,
      isExtra: true,
      cell: ({ feeSats }) => (feeSats === null ? '–' : formats.sats(feeSats)),
    },
    {
      id: 'amount',
      header: text.amount,
      isNumber: true,
      cell: ({ amountSats }) => <span className="strong nowrap">{formats.sats(amountSats)}</span>,
      onCard: 'amount',
    },
  ];
}

/** What was sent from the node to another wallet. */
export function Page() {
  const text = useTexts(withdrawalsTexts);
  const { search, query, change } = useFilters();
  const read = useRead(
    'listWithdrawals',
    { query: { ...query, limit: 50 } },
    { refetchMs: body => (body?.items.some(isUnderWay) ? 5_000 : 60_000) },
  );
  const columns = useColumns();
  // What was sent before a reload is followed to its end.
  const [isResumed, setResumed] = useState(isWithdrawing);
  const opened = read.data?.items.find(({ id }) => id === search.open);
  const add = (
    <Button kind="money" icon="bolt" onClick={() => change({ new: '1' })}>
      {text.new}
    </Button>
  );
  const close = () => {
    setResumed(false);
    if (search.new !== undefined) change({ new: undefined });
  };
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="settings" />
      <List
        read={read}
        columns={columns}
        pageOf={({ id }) => ({ to: 'settings/withdrawals', search: { ...query, open: id } })}
        text={text}
        icon="bolt"
      />
      {search.new !== undefined || isResumed ? <NewWithdrawal onClose={close} /> : null}
      {opened === undefined ? null : (
        <WithdrawalDrawer withdrawal={opened} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

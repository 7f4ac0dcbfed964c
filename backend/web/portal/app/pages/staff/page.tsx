import type { StaffRecord } from '@florin/shared/contracts/api-v1/staff.ts';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { type Column, List } from '../../components/table.tsx';
import { clock } from '../../platform/time.ts';
import { useBusiness, useMay } from '../../session/session.ts';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { StaffActions } from './staff-actions.tsx';
import { PasswordDrawer, StaffDrawer, type TemporaryPassword } from './staff-drawer.tsx';
import { staffTexts } from './texts.ts';

const isLocked = ({ lockedUntil }: StaffRecord) => lockedUntil !== null && Date.parse(lockedUntil) > clock.now();

function StaffState({ member }: { readonly member: StaffRecord }) {
  const text = useTexts(staffTexts);
  const formats = useFormats();
  if (member.disabled) return <Status tone="ended">{text.disabled}</Status>;
  if (isLocked(member))
    return (
      <Status tone="attention" icon="lock">
        {text.locked(formats.time(member.lockedUntil ?? ''))}
      </Status>
    );
  if (member.passwordIsTemporary) return <Status tone="act">{text.temporary}</Status>;
  return <Status tone="done">{text.active}</Status>;
}

function useColumns(onPassword: (given: TemporaryPassword) => void): readonly Column<StaffRecord>[] {
  const text = useTexts(staffTexts);
  const formats = useFormats();
  const { currency } = useBusiness();
  const may = useMay();
  const amount = (minor: number | null) => (minor === null ? text.unlimited : formats.money(minor, currency));
  const columns: readonly Column<StaffRecord>[] = [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    { id: 'number', header: text.number, cell: ({ staffNumber }) => staffNumber, onCard: 'detail' },
    { id: 'state', header: text.state, cell: member => <StaffState member={member} />, onCard: 'state' },
    {
      id: 'permission',
      header: text.permission,
      cell: ({ mayRefundAndVoid }) => (mayRefundAndVoid ? text.may : <span className="muted">{text.mayNot}</span>),
      onCard: 'detail',
    },
    {
      id: 'limit',
      header: text.limit,
      isNumber: true,
      isExtra: true,
      cell: ({ perTransactionLimitInCents }) => amount(perTransactionLimitInCents),
    },
    {
      id: 'daily',
      header: text.daily,
      isNumber: true,
      isExtra: true,
      cell: ({ dailyLimitInCents }) => amount(dailyLimitInCents),
    },
    {
      id: 'today',
      header: text.today,
      isNumber: true,
      cell: member => <Used member={member} written={formats.money(member.refundedTodayInCents, currency)} />,
    },
  ];
  const acting: Column<StaffRecord> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: member => <StaffActions member={member} isLocked={isLocked(member)} onPassword={onPassword} />,
    onCard: 'amount',
  };
  return may('team:write') ? [...columns, acting] : columns;
}

/** What was refunded today, and how much of the limit that is. */
function Used({ member, written }: { readonly member: StaffRecord; readonly written: string }) {
  const { dailyLimitInCents: limit, refundedTodayInCents: used } = member;
  const share = limit === null ? undefined : Math.min(100, Math.round((100 * used) / limit));
  return (
    <div className="meter">
      <span className="nowrap">{written}</span>
      {share === undefined || used === 0 ? null : (
        <span className="meter-bar">
          <span className={`meter-fill ${share >= 80 ? 'meter-fill-attention' : ''}`} style={{ width: `${share}%` }} />
        </span>
      )}
    </div>
  );
}

/** The staff of the terminals. */
export function Page() {
  const text = useTexts(staffTexts);
  const { query } = useFilters();
  const [password, setPassword] = useState<TemporaryPassword>();
  const read = useRead('listStaff', { query: { ...query, limit: 50 } }, { refetchMs: 30_000 });
  const columns = useColumns(setPassword);
  const { add, isAdding, endAdding } = useAdding('team:write', text.add);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="staff" />
      <List read={read} columns={columns} text={text} icon="staff" begin={add} />
      {isAdding ? <StaffDrawer onClose={endAdding} onPassword={setPassword} /> : null}
      {password === undefined ? null : <PasswordDrawer given={password} onClose={() => setPassword(undefined)} />}
    </>
  );
}

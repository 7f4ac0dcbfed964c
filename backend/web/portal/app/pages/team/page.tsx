import type { TeamMember } from '@florin/shared/contracts/api-v1/team.ts';
import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useMay, useMe } from '../../session/session.ts';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { Invitations } from './invitations.tsx';
import { InviteDrawer } from './invite-drawer.tsx';
import { ChangeRole, RemoveMember } from './member-dialogs.tsx';
import { useGivenRoles } from './role-field.tsx';
import { teamTexts } from './texts.ts';

type Acting = { readonly member: TeamMember; readonly act: 'change' | 'remove' };

function useColumns(onAct: (acting: Acting) => void): readonly Column<TeamMember>[] {
  const text = useTexts(teamTexts);
  const nameOf = useRoleNames();
  const me = useMe();
  const given = useGivenRoles();
  const may = useMay();
  const columns: readonly Column<TeamMember>[] = [
    {
      id: 'name',
      header: text.name,
      cell: ({ name, id }) => (
        <span className="results">
          <span className="strong">{name}</span>
          {id === me.id ? <span className="muted">{text.you}</span> : null}
        </span>
      ),
      onCard: 'lead',
    },
    { id: 'email', header: text.email, cell: ({ email }) => email, onCard: 'detail' },
    { id: 'role', header: text.role, cell: ({ role }) => nameOf(role), onCard: 'detail' },
    {
      id: 'factor',
      header: text.factor,
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor ? (
          <Status tone="done" icon="lock">
            {text.factorYes}
          </Status>
        ) : (
          <Status tone="attention">{text.factorNo}</Status>
        ),
      onCard: 'state',
    },
    {
      id: 'seen',
      header: text.seen,
      isExtra: true,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? text.never : <Time at={lastSeenAt} as="ago" />),
    },
    { id: 'joined', header: text.joined, isExtra: true, cell: ({ joinedAt }) => <Time at={joinedAt} as="date" /> },
  ];
  const acting: Column<TeamMember> = {
    id: 'actions',
    header: '',
    isNumber: true,
    // Nobody takes away permissions that they do not hold.
    cell: member =>
      given.some(({ id }) => id === member.role.id) ? (
        <RowMenu
          label={text.actions(member.name)}
          choices={[
            ['user', text.change, () => onAct({ member, act: 'change' })],
            ['trash', text.remove, () => onAct({ member, act: 'remove' })],
          ]}
        />
      ) : null,
    onCard: 'amount',
  };
  return may('team:write') ? [...columns, acting] : columns;
}

/** Who belongs to the team, and who is invited. */
export function Page() {
  const text = useTexts(teamTexts);
  const { query } = useFilters();
  const [acting, setActing] = useState<Acting>();
  const read = useRead('listTeam', { query: { ...query, limit: 50 } });
  const columns = useColumns(setActing);
  const { add, isAdding, endAdding } = useAdding('team:write', text.invite);
  const close = () => setActing(undefined);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="settings" />
      <div className="stack">
        <List read={read} columns={columns} text={{ caption: text.caption, empty: text.title }} icon="staff" />
        <Invitations />
      </div>
      {isAdding ? <InviteDrawer onClose={endAdding} /> : null}
      {acting?.act === 'change' ? <ChangeRole member={acting.member} onClose={close} /> : null}
      {acting?.act === 'remove' ? <RemoveMember member={acting.member} onClose={close} /> : null}
    </>
  );
}

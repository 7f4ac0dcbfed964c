import { useState } from 'react';
import type { BodyFor } from '../../api/call.ts';
import { useCall, useReadAll } from '../../api/use-read.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { Status } from '../../components/notice.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { report, toast } from '../../shell/toasts.tsx';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { teamTexts } from './texts.ts';

type Invitation = BodyFor<'listInvitations'>['items'][number];

function useColumns(onWithdraw: (invitation: Invitation) => void): readonly Column<Invitation>[] {
  const text = useTexts(teamTexts);
  const nameOf = useRoleNames();
  const may = useMay();
  const call = useCall();
  const again = async ({ email, role }: Invitation) => {
    const answer = await call('inviteTeamMember', { body: { email, roleId: role.id } });
    report(answer, text.form.sent(email));
  };
  const columns: readonly Column<Invitation>[] = [
    { id: 'email', header: text.email, cell: ({ email }) => <span className="strong">{email}</span>, onCard: 'lead' },
    { id: 'role', header: text.role, cell: ({ role }) => nameOf(role), onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ status }) => <Status tone={status === 'pending' ? 'doing' : 'ended'}>{text.statuses[status]}</Status>,
      onCard: 'state',
    },
    { id: 'by', header: text.invitedBy, isExtra: true, cell: ({ invitedBy }) => invitedBy.name ?? '–' },
    { id: 'expires', header: text.expires, cell: ({ expiresAt }) => <Time at={expiresAt} />, onCard: 'detail' },
  ];
  const acting: Column<Invitation> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: invitation => (
      <RowMenu
        label={text.actions(invitation.email)}
        choices={[
          ['returned', text.again, () => void again(invitation)],
          ['trash', text.withdraw, () => onWithdraw(invitation)],
        ]}
      />
    ),
    onCard: 'amount',
  };
  return may('team:write') ? [...columns, acting] : columns;
}

/** Who is invited and has not accepted yet. */
export function Invitations() {
  const text = useTexts(teamTexts);
  const call = useCall();
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  const read = useReadAll('listInvitations');
  const columns = useColumns(setWithdrawing);
  return (
    <section>
      <h2 className="section-title">{text.invitations}</h2>
      <Loaded read={read} skeleton={<SkeletonLines lines={2} />}>
        {invitations =>
          invitations.length === 0 ? (
            <p className="muted">{text.noInvitations}</p>
          ) : (
            <Table caption={text.invitationsCaption} columns={columns} rows={invitations} idOf={({ id }) => id} />
          )
        }
      </Loaded>
      {withdrawing === undefined ? null : (
        <Confirm
          title={text.withdrawTitle(withdrawing.email)}
          action={text.withdrawNow}
          send={() => call('withdrawInvitation', { params: { id: withdrawing.id } })}
          onDone={() => toast(text.withdrawn)}
          onClose={() => setWithdrawing(undefined)}
        >
          {text.withdrawWhy}
        </Confirm>
      )}
    </section>
  );
}

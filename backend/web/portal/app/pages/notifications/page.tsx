import type { NotificationRecipient } from '@florin/shared/contracts/api-v1/notification-recipients.ts';
import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { complain, toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { AddRecipient, ChangeRecipient } from './recipient-drawers.tsx';
import { notificationsTexts } from './texts.ts';

function useColumns(onChange: (recipient: NotificationRecipient) => void): readonly Column<NotificationRecipient>[] {
  const text = useTexts(notificationsTexts);
  const call = useCall();
  const remove = async ({ id, email, kinds }: NotificationRecipient) => {
    const answer = await call('deleteNotificationRecipient', { params: { id } });
    const again = () => void call('createNotificationRecipient', { body: { email, kinds } });
    if (answer.ok) toast(text.removed(email), again);
    else complain(answer.message);
  };
  return [
    { id: 'email', header: text.email, cell: ({ email }) => <span className="strong">{email}</span>, onCard: 'lead' },
    {
      id: 'gets',
      header: text.gets,
      cell: ({ kinds }) => kinds.map(kind => text.kinds[kind][0]).join(', '),
      onCard: 'detail',
    },
    { id: 'since', header: text.since, cell: ({ createdAt }) => <Time at={createdAt} as="date" />, isExtra: true },
    {
      id: 'actions',
      header: '',
      isNumber: true,
      cell: recipient => (
        <RowMenu
          label={text.actions(recipient.email)}
          choices={[
            ['settings', text.change, () => onChange(recipient)],
            ['trash', text.remove, () => void remove(recipient)],
          ]}
        />
      ),
      onCard: 'amount',
    },
  ];
}

/** Who is told of problems by e-mail, and of which. */
export function Page() {
  const text = useTexts(notificationsTexts);
  const { query } = useFilters();
  const [changing, setChanging] = useState<NotificationRecipient>();
  const read = useRead('listNotificationRecipients', { query: { ...query, limit: 50 } });
  const columns = useColumns(setChanging);
  const { add, isAdding, endAdding } = useAdding('notifications:write', text.add);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="settings" />
      <List read={read} columns={columns} text={text} icon="info" begin={add} />
      {isAdding ? <AddRecipient onClose={endAdding} /> : null}
      {changing === undefined ? null : <ChangeRecipient recipient={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

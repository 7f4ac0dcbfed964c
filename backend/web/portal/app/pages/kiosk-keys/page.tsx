import { useState } from 'react';
import type { BodyFor } from '../../api/call.ts';
import { useCall, useRead, useReadAll } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Status } from '../../components/notice.tsx';
import { PageHead } from '../../components/page.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { clock } from '../../platform/time.ts';
import { useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useTexts } from '../../words/texts.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { NewKioskKey } from './new-kiosk-key.tsx';
import { kioskKeysTexts } from './texts.ts';

type KioskKey = BodyFor<'listKioskKeys'>['items'][number];

function useColumns(onRevoke: (key: KioskKey) => void): readonly Column<KioskKey>[] {
  const text = useTexts(kioskKeysTexts);
  const may = useMay();
  const terminals = useReadAll('listDevices');
  const nameOf = (id: string) => terminals.data?.find(terminal => terminal.id === id)?.name ?? text.removed;
  const columns: readonly Column<KioskKey>[] = [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    { id: 'key', header: text.key, cell: ({ lastFour }) => <code>…{lastFour}</code>, onCard: 'detail' },
    {
      id: 'state',
      header: text.state,
      cell: ({ revokedAt }) =>
        revokedAt === null ? <Status tone="done">{text.active}</Status> : <Status tone="ended">{text.revoked}</Status>,
      onCard: 'state',
    },
    {
      id: 'terminals',
      header: text.terminals,
      cell: ({ deviceIds }) => (terminals.data === undefined ? deviceIds.length : deviceIds.map(nameOf).join(', ')),
      onCard: 'detail',
    },
    {
      id: 'used',
      header: text.used,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Time at={lastUsedAt} as="ago" />),
    },
    { id: 'created', header: text.created, cell: ({ createdAt }) => <Time at={createdAt} as="date" />, isExtra: true },
  ];
  const acting: Column<KioskKey> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: key =>
      key.revokedAt === null ? (
        <RowMenu label={text.actions(key.name)} choices={[['trash', text.revoke, () => onRevoke(key)]]} />
      ) : null,
    onCard: 'amount',
  };
  return may('devices:write') ? [...columns, acting] : columns;
}

/** The keys of kiosk installations. */
export function Page() {
  const text = useTexts(kioskKeysTexts);
  const { query } = useFilters();
  const [revoking, setRevoking] = useState<KioskKey>();
  const read = useRead('listKioskKeys', { query: { ...query, limit: 50 } });
  const columns = useColumns(setRevoking);
  const { add, isAdding, endAdding } = useAdding('devices:write', text.new);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <DeveloperTabs />
      <List read={read} columns={columns} text={text} icon="lock" begin={add} />
      {isAdding ? <NewKioskKey onClose={endAdding} /> : null}
      {revoking === undefined ? null : <RevokeKioskKey kioskKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

function RevokeKioskKey({ kioskKey, onClose }: { readonly kioskKey: KioskKey; readonly onClose: () => void }) {
  const text = useTexts(kioskKeysTexts);
  const formats = useFormats();
  const call = useCall();
  const { id, name, lastUsedAt } = kioskKey;
  return (
    <Confirm
      title={text.revokeTitle(name)}
      action={text.revokeNow}
      send={() => call('revokeKioskKey', { params: { id } })}
      onDone={() => toast(text.wasRevoked(name))}
      onClose={onClose}
    >
      {text.revokeWhy(lastUsedAt === null ? undefined : formats.ago(lastUsedAt, clock.now()))}
    </Confirm>
  );
}

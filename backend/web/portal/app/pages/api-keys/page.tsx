import { useState } from 'react';
import { useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { ChoiceFilter, FilterBar } from '../../components/filters.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { PageHead } from '../../components/page.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, List } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { useMay } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { DeveloperTabs } from '../developers/tabs.tsx';
import { type ApiKey, KeyState } from './key-state.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey, useMayRevoke } from './revoke-key.tsx';
import { apiKeysTexts } from './texts.ts';

function useColumns(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const text = useTexts(apiKeysTexts);
  const may = useMay();
  const mayRevoke = useMayRevoke();
  const columns: readonly Column<ApiKey>[] = [
    { id: 'name', header: text.name, cell: ({ name }) => <span className="strong">{name}</span>, onCard: 'lead' },
    { id: 'key', header: text.key, cell: ({ lastFour }) => <code>…{lastFour}</code>, onCard: 'detail' },
    { id: 'state', header: text.state, cell: apiKey => <KeyState apiKey={apiKey} />, onCard: 'state' },
    {
      id: 'preset',
      header: text.preset,
      cell: ({ preset, permissions }) => (preset === 'CUSTOM' ? text.count(permissions.length) : text.presets[preset]),
      onCard: 'detail',
    },
    {
      id: 'used',
      header: text.used,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Time at={lastUsedAt} as="ago" />),
      isExtra: true,
    },
    {
      id: 'expires',
      header: text.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? text.noExpiry : <Time at={expiresAt} as="date" />),
      isExtra: true,
    },
  ];
  const acting: Column<ApiKey> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: apiKey =>
      mayRevoke(apiKey) ? (
        <RowMenu label={text.actions(apiKey.name)} choices={[['trash', text.revoke, () => onRevoke(apiKey)]]} />
      ) : null,
    onCard: 'amount',
  };
  return may('api-keys:write') ? [...columns, acting] : columns;
}

/** The API keys of the business. */
export function Page() {
  const text = useTexts(apiKeysTexts);
  const { query } = useFilters();
  const [revoking, setRevoking] = useState<ApiKey>();
  const read = useRead('listApiKeys', { query: { ...query, limit: 50 } });
  const columns = useColumns(setRevoking);
  const { add, isAdding, endAdding } = useAdding('api-keys:write', text.new);
  const statuses = (['active', 'revoked', 'expired'] as const).map(each => [each, text.statuses[each]] as const);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <DeveloperTabs />
      <FilterBar list="api-keys">
        <ChoiceFilter name="status" label={text.state} choices={statuses} />
        <ChoiceFilter name="preset" label={text.preset} choices={Object.entries(text.presets)} />
      </FilterBar>
      <List read={read} columns={columns} pageOf={({ id }) => `dev/keys/${id}`} text={text} icon="lock" begin={add} />
      {isAdding ? <NewKey onClose={endAdding} /> : null}
      {revoking === undefined ? null : <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

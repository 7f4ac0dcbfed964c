import { useState } from 'react';
import { useCall, useRead } from '../../api/use-read.ts';
import { useAdding } from '../../components/adding.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useFilters } from '../../components/list-state.tsx';
import { Loaded, SkeletonLines } from '../../components/loaded.tsx';
import { PageHead, Tabs } from '../../components/page.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useBusiness, useMay } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useFormats } from '../../words/formats.ts';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import type { Role } from '../team/role-field.tsx';
import { RoleForm, RoleView } from './role-drawers.tsx';
import { rolesTexts } from './texts.ts';

type Acting = { readonly role: Role; readonly act: 'change' | 'delete' };

function useColumns(onAct: (acting: Acting) => void): readonly Column<Role>[] {
  const text = useTexts(rolesTexts);
  const nameOf = useRoleNames();
  const formats = useFormats();
  const may = useMay();
  const { permissions: held, role: own } = useBusiness();
  const columns: readonly Column<Role>[] = [
    { id: 'name', header: text.name, cell: role => <span className="strong">{nameOf(role)}</span>, onCard: 'lead' },
    {
      id: 'kind',
      header: text.kind,
      cell: ({ isBuiltIn }) => (isBuiltIn ? text.builtIn : text.own),
      onCard: 'detail',
    },
    {
      id: 'may',
      header: text.may,
      cell: ({ id, permissions }) => (id === 'owner' ? text.all : text.count(permissions.length)),
      onCard: 'detail',
    },
    { id: 'members', header: text.members, isNumber: true, cell: ({ members }) => formats.number(members) },
  ];
  const acting: Column<Role> = {
    id: 'actions',
    header: '',
    isNumber: true,
    cell: role =>
      role.isBuiltIn || role.id === own.id || !role.permissions.every(code => held.includes(code)) ? null : (
        <RowMenu
          label={text.actions(role.name)}
          choices={[
            ['settings', text.change, () => onAct({ role, act: 'change' })],
            ['trash', text.delete, () => onAct({ role, act: 'delete' })],
          ]}
        />
      ),
    onCard: 'amount',
  };
  return may('team:write') ? [...columns, acting] : columns;
}

/** The roles that members of the team can have. */
export function Page() {
  const text = useTexts(rolesTexts);
  const { search, change } = useFilters();
  const [acting, setActing] = useState<Acting>();
  const read = useRead('listRoles', {});
  const columns = useColumns(setActing);
  const opened = read.data?.items.find(({ id }) => id === search.open);
  const close = () => setActing(undefined);
  const { add, isAdding, endAdding } = useAdding('team:write', text.new);
  return (
    <>
      <PageHead title={text.title} about={text.about} actions={add} />
      <Tabs area="settings" />
      <Loaded read={read} skeleton={<SkeletonLines lines={8} />}>
        {({ items }) => (
          <Table
            caption={text.caption}
            columns={columns}
            rows={items}
            idOf={({ id }) => id}
            pageOf={({ id }) => ({ to: 'settings/roles', search: { open: id } })}
          />
        )}
      </Loaded>
      {opened === undefined ? null : <RoleView role={opened} onClose={() => change({ open: undefined })} />}
      {isAdding ? <RoleForm onClose={endAdding} /> : null}
      {acting?.act === 'change' ? <RoleForm role={acting.role} onClose={close} /> : null}
      {acting?.act === 'delete' ? <DeleteRole role={acting.role} onClose={close} /> : null}
    </>
  );
}

function DeleteRole({ role: { id, name }, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const text = useTexts(rolesTexts);
  const { role_in_use, beyond_own_permissions } = text.form;
  const call = useCall();
  return (
    <Confirm
      title={text.deleteTitle(name)}
      action={text.deleteNow}
      refusals={{ role_in_use, beyond_own_permissions }}
      send={() => call('deleteRole', { params: { id } })}
      onDone={() => toast(text.deleted(name))}
      onClose={onClose}
    >
      {text.deleteWhy}
    </Confirm>
  );
}

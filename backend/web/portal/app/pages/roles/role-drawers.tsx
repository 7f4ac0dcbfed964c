import type { Permission } from '@florin/shared/permissions.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { GrantedPermissions, PermissionFields } from '../../components/permission-fields.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import type { Role } from '../team/role-field.tsx';
import { rolesTexts } from './texts.ts';

type FormProps = {
  /** The role to change; a new one if there is none. */
  readonly role?: Role;
  readonly onClose: () => void;
};

/** Defines a role of the business, or changes one. */
export function RoleForm({ role, onClose }: FormProps) {
  const text = useTexts(rolesTexts);
  const { form: words } = text;
  const { actions } = useWords();
  const call = useCall();
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? []);
  const [isChecked, setChecked] = useState(false);
  const { role_name_taken, too_many_roles, own_role, beyond_own_permissions } = words;
  const { submit, isBusy, issues, message } = useWriteForm({
    role_name_taken: ['name', role_name_taken],
    too_many_roles,
    own_role,
    beyond_own_permissions,
  });
  const save = (form: FormData) => {
    setChecked(true);
    if (permissions.length === 0) return;
    const body = { name: textOf(form, 'name').trim(), permissions: [...permissions] };
    void submit({
      send: idempotencyKey =>
        role === undefined
          ? call('createRole', { body }, { idempotencyKey })
          : call('changeRole', { params: { id: role.id }, body }),
      onDone: ({ name }) => {
        toast(text.saved(name));
        onClose();
      },
    });
  };
  return (
    <Dialog shape="drawer" title={role === undefined ? words.new : words.change(role.name)} onClose={onClose}>
      <Form
        onSubmit={save}
        action={role === undefined ? words.create : actions.save}
        isBusy={isBusy}
        message={message}
        onCancel={onClose}
      >
        <TextField
          label={words.name}
          name="name"
          hint={words.nameHint}
          required
          maxLength={60}
          defaultValue={role?.name}
          issue={issues.name}
        />
        <PermissionFields
          chosen={permissions}
          onChange={setPermissions}
          issue={issues.permissions ?? (isChecked && permissions.length === 0 ? words.none : undefined)}
        />
        {role === undefined ? null : <p className="small muted">{words.effect}</p>}
      </Form>
    </Dialog>
  );
}

/** What a role permits. */
export function RoleView({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const text = useTexts(rolesTexts);
  const nameOf = useRoleNames();
  return (
    <Dialog shape="drawer" title={text.view(nameOf(role))} onClose={onClose}>
      <GrantedPermissions permissions={role.permissions} />
    </Dialog>
  );
}

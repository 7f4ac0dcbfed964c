import type { TeamMember } from '@florin/shared/contracts/api-v1/team.ts';
import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { RoleField } from './role-field.tsx';
import { teamTexts } from './texts.ts';

type Props = { readonly member: TeamMember; readonly onClose: () => void };

/** Gives a member another role. */
export function ChangeRole({ member, onClose }: Props) {
  const text = useTexts(teamTexts);
  const { form: words } = text;
  const { actions } = useWords();
  const nameOf = useRoleNames();
  const call = useCall();
  const [roleId, setRoleId] = useState<string>(member.role.id);
  const { submit, isBusy, issues, message } = useWriteForm({
    beyond_own_permissions: words.beyond_own_permissions,
    role_not_found: ['roleId', words.role_not_found],
    last_owner: words.last_owner,
  });
  const save = () =>
    void submit({
      send: () => call('changeTeamMember', { params: { id: member.id }, body: { roleId } }),
      onDone: ({ role }) => {
        toast(text.changed(member.name, nameOf(role)));
        onClose();
      },
    });
  return (
    <Dialog title={text.changeTitle(member.name)} onClose={onClose}>
      <Form onSubmit={save} action={actions.save} isBusy={isBusy} message={message} onCancel={onClose}>
        <RoleField value={roleId} onChange={setRoleId} issue={issues.roleId} />
      </Form>
    </Dialog>
  );
}

/** Asks before a member is removed. */
export function RemoveMember({ member: { id, name }, onClose }: Props) {
  const text = useTexts(teamTexts);
  const { last_owner, beyond_own_permissions } = text.form;
  const call = useCall();
  return (
    <Confirm
      title={text.removeTitle(name)}
      action={text.removeNow}
      refusals={{ last_owner, beyond_own_permissions }}
      send={() => call('removeTeamMember', { params: { id } })}
      onDone={() => toast(text.removed(name))}
      onClose={onClose}
    >
      {text.removeWhy}
    </Confirm>
  );
}

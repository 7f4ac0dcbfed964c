import { useState } from 'react';
import { useCall } from '../../api/use-read.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { useWriteForm } from '../../components/write-form.ts';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { RoleField } from './role-field.tsx';
import { teamTexts } from './texts.ts';

/** Invites somebody by e-mail, with a role. */
export function InviteDrawer({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(teamTexts);
  const { form: words } = text;
  const call = useCall();
  const [roleId, setRoleId] = useState('');
  const { submit, isBusy, issues, message } = useWriteForm({
    beyond_own_permissions: ['roleId', words.beyond_own_permissions],
    role_not_found: ['roleId', words.role_not_found],
    already_in_team: ['email', words.already_in_team],
  });
  const send = (form: FormData) => {
    const email = textOf(form, 'email').trim();
    void submit({
      send: idempotencyKey => call('inviteTeamMember', { body: { email, roleId } }, { idempotencyKey }),
      onDone: () => {
        toast(words.sent(email));
        onClose();
      },
    });
  };
  return (
    <Dialog shape="drawer" title={words.title} onClose={onClose}>
      <Form onSubmit={send} action={words.send} isBusy={isBusy} message={message} onCancel={onClose}>
        <TextField
          label={text.email}
          name="email"
          type="email"
          hint={words.emailHint}
          autoComplete="off"
          required
          maxLength={254}
          issue={issues.email}
        />
        <RoleField value={roleId} onChange={setRoleId} issue={issues.roleId} />
      </Form>
    </Dialog>
  );
}

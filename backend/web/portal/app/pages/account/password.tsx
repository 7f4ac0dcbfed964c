import { useState } from 'react';
import { useOwnCall } from '../../api/use-own.ts';
import { NewPasswordField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Card } from '../../components/page.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMe } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { accountTexts } from './texts.ts';

/** A new password; the present one is asked for by the confirmation. */
export function Password() {
  const { password: text } = useTexts(accountTexts);
  const words = useWords();
  const { email } = useMe();
  const call = useOwnCall();
  const [changes, setChanges] = useState(0);
  const { submit, isBusy, issues, message } = useWriteForm({
    password_guessable: ['password', words.form.guessable],
  });
  const change = (form: FormData) =>
    void submit({
      send: () => call('changePassword', { body: { password: textOf(form, 'password') } }),
      onDone: () => {
        setChanges(changes + 1);
        toast(text.changed);
      },
    });
  return (
    <Card title={text.title}>
      <Form key={changes} onSubmit={change} action={text.change} kind="quiet" isBusy={isBusy} message={message}>
        <p className="muted">{text.about}</p>
        {/* Password managers store the new password for this user. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <NewPasswordField label={words.form.newPassword} name="password" issue={issues.password} />
      </Form>
    </Card>
  );
}

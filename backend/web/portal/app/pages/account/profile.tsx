import { useOwnCall } from '../../api/use-own.ts';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Card } from '../../components/page.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useMe } from '../../session/session.ts';
import { toast } from '../../shell/toasts.tsx';
import { LanguageChoice, ThemeChoice } from '../../shell/user-menu.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { accountTexts } from './texts.ts';

/** The user's name, and how they see the portal. */
export function Profile() {
  const text = useTexts(accountTexts);
  const words = useWords();
  const { name } = useMe();
  const call = useOwnCall();
  const { submit, isBusy, issues, message } = useWriteForm();
  const save = (form: FormData) =>
    void submit({
      send: () => call('changeMe', { body: { name: textOf(form, 'name').trim() } }),
      onDone: () => toast(text.saved),
    });
  return (
    <Card title={text.profile}>
      <div className="form">
        <Form onSubmit={save} action={words.actions.save} kind="quiet" isBusy={isBusy} message={message}>
          <TextField
            label={text.name}
            name="name"
            autoComplete="name"
            defaultValue={name}
            maxLength={100}
            required
            issue={issues.name}
          />
        </Form>
        <div className="form-row">
          <ThemeChoice />
          <LanguageChoice isSignedIn />
        </div>
      </div>
    </Card>
  );
}

import type { NotDone } from '@florin/client/answer.ts';
import { type FormEvent, use, useState } from 'react';
import { callOwn, type InputFor } from '../api/call.ts';
import { usePrompt } from '../api/prompts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { PasswordField } from '../components/field.tsx';
import { FormProblem } from '../components/form.tsx';
import { textOf } from '../components/form-text.ts';
import { useTexts } from '../words/texts.ts';
import { useWords } from '../words/words.ts';
import { canUsePasskeys, passkeyAnswer } from './passkey.ts';
import { useRefusal } from './refusal.ts';
import { MeContext, useShowMe } from './session.ts';
import { SignInForm } from './sign-in.tsx';
import { signInTexts } from './texts.ts';

/** What the service asks for before it goes on, over the page, which stays as it is. */
export function Prompts() {
  const open = usePrompt();
  const text = useTexts(signInTexts);
  const me = use(MeContext);
  const showMe = useShowMe();
  if (open === undefined || me === undefined) return null;
  if (open.prompt === 'step-up')
    return <StepUp hasPasskey={me.factors.passkeys.length > 0 && canUsePasskeys()} onClose={open.close} />;
  return (
    <Dialog title={text.again} onClose={() => open.close(false)}>
      <div className="form">
        <p className="muted">{text.expired}</p>
        <SignInForm
          email={me.email}
          onDone={signedIn => {
            showMe(signedIn);
            open.close(true);
          }}
        />
      </div>
    </Dialog>
  );
}

/** Sends what confirms the user, and says in words why it was refused. */
function useConfirm(onGiven: () => void) {
  const text = useTexts(signInTexts);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const refusalOf = useRefusal({ credentials_wrong: text.stepUp.wrong });
  const refusalOfPasskey = useRefusal({ credentials_wrong: text.passkeyWrong });
  const send = async (body: NonNullable<InputFor<'stepUp'>['body']>, wordsOf: (answer: NotDone) => string) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    // Under a session that has ended, no confirmation helps: the call behind it then asks for a sign-in.
    const answer = await callOwn('stepUp', { body }, { isQuiet: true, maxAttempts: 1 });
    setBusy(false);
    if (answer.ok || (answer.status === 401 && answer.reason !== 'credentials_wrong')) onGiven();
    else setProblem(wordsOf(answer));
  };
  return {
    isBusy,
    problem,
    sendPassword: (password: string) => send({ password }, refusalOf),
    sendPasskey: async () => {
      const options = await callOwn('passkeyOptions', {}, { isQuiet: true });
      const passkey = options.ok ? await passkeyAnswer(options.body) : undefined;
      if (passkey === undefined) setProblem(options.ok ? text.passkeyNotGiven : refusalOf(options));
      else await send({ passkey }, refusalOfPasskey);
    },
  };
}

type StepUpProps = { readonly hasPasskey: boolean; readonly onClose: (given: boolean) => void };

function StepUp({ hasPasskey, onClose }: StepUpProps) {
  const words = useWords();
  const text = useTexts(signInTexts);
  const { isBusy, problem, sendPassword, sendPasskey } = useConfirm(() => onClose(true));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    void sendPassword(textOf(new FormData(event.currentTarget), 'password'));
  };
  return (
    <Dialog title={text.stepUp.title} onClose={() => onClose(false)}>
      <form className="form" onSubmit={submit}>
        <p className="muted">{hasPasskey ? text.stepUp.whyAny : text.stepUp.why}</p>
        <FormProblem message={problem} />
        <PasswordField label={words.form.password} name="password" autoComplete="current-password" autoFocus required />
        {hasPasskey ? (
          <Button icon="key" onClick={() => void sendPasskey()}>
            {text.passkey}
          </Button>
        ) : null}
        <div className="form-actions">
          <Button onClick={() => onClose(false)}>{words.actions.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {text.stepUp.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

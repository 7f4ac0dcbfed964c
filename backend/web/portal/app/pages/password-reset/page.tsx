import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { callOwn } from '../../api/call.ts';
import { issuesOf } from '../../api/problem.ts';
import { NewPasswordField, TextField } from '../../components/field.tsx';
import { Form, FormProblem } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Notice } from '../../components/notice.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useFirstSignIn } from '../../session/proceed.ts';
import { useRefusal } from '../../session/refusal.ts';
import { signInTexts } from '../../session/texts.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { PublicFrame } from '../../shell/public-frame.tsx';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { passwordResetTexts } from './texts.ts';

/** Where a forgotten password is replaced: with the token of a link after the `#`, or else the link is asked for. */
export function Page() {
  const token = useLocation({ select: ({ hash }) => hash });
  return token === '' ? <RequestPage /> : <ChoosePage key={token} token={token} />;
}

/** Sends the link; whether the address is known is not said. */
function RequestPage() {
  const text = useTexts(passwordResetTexts);
  const signIn = useTexts(signInTexts);
  const refusalOf = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [sentTo, setSentTo] = useState<string>();
  const send = async (form: FormData) => {
    if (isBusy) return;
    const email = textOf(form, 'email').trim();
    setBusy(true);
    setProblem(undefined);
    const answer = await callOwn('requestPasswordReset', { body: { email } }, { isQuiet: true, maxAttempts: 1 });
    setBusy(false);
    if (answer.ok) setSentTo(email);
    else setProblem(refusalOf(answer));
  };
  return (
    <PublicFrame title={text.forgotten}>
      {sentTo === undefined ? (
        <Form onSubmit={form => void send(form)} action={text.send} isBusy={isBusy} message={problem}>
          <p className="muted">{text.about}</p>
          <TextField label={signIn.email} name="email" type="email" autoComplete="username" autoFocus required />
        </Form>
      ) : (
        <Notice tone="done" role="status" title={text.sent}>
          {text.sentWhy(sentTo)}
        </Notice>
      )}
      <PageLink path="/sign-in">{text.back}</PageLink>
    </PublicFrame>
  );
}

/** Chooses the new password with the token of the link. */
function ChoosePage({ token }: { readonly token: string }) {
  const text = useTexts(passwordResetTexts);
  const words = useWords();
  const firstSignIn = useFirstSignIn();
  const [isGone, setGone] = useState(false);
  const { submit, isBusy, issues, message } = useWriteForm({
    password_guessable: ['password', words.form.guessable],
  });
  const change = (form: FormData) => {
    const password = textOf(form, 'password');
    void submit({
      send: async () => {
        const answer = await callOwn('resetPassword', { body: { token, password } }, { isQuiet: true });
        // A link that was cut off when it was copied is refused for its form.
        if (!answer.ok && (answer.reason === 'link_not_valid' || 'token' in issuesOf(answer))) setGone(true);
        return answer;
      },
      onDone: ({ email }) => void firstSignIn(email, password),
    });
  };
  return (
    <PublicFrame title={text.title}>
      {isGone ? (
        <>
          <FormProblem message={`${text.gone}. ${text.goneWhy}`} />
          <PageLink path="/password-reset">{text.again}</PageLink>
        </>
      ) : (
        <Form onSubmit={change} action={text.change} isBusy={isBusy} message={message}>
          <p className="muted">{text.effect}</p>
          <NewPasswordField label={words.form.newPassword} name="password" issue={issues.password} />
        </Form>
      )}
    </PublicFrame>
  );
}

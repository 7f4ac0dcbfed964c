import type { NotDone } from '@florin/client/answer.ts';
import type { Me } from '@florin/shared/contracts/portal/people.ts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type BodyFor, callOwn, type InputFor } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { CheckField, PasswordField, TextField } from '../components/field.tsx';
import { FormProblem } from '../components/form.tsx';
import { textOf } from '../components/form-text.ts';
import { Notice } from '../components/notice.tsx';
import { useTexts } from '../words/texts.ts';
import { canUsePasskeys, passkeyAnswer } from './passkey.ts';
import { useRefusal } from './refusal.ts';
import { signInTexts } from './texts.ts';

type Challenge = Extract<BodyFor<'signIn'>, { next: 'second_factor' }>;
type SecondFactor = Omit<InputFor<'giveSecondFactor'>['body'], 'token'>;

type SignInFormProps = {
  /** The only user who may sign in here; anybody if it is not given. */
  readonly email?: string;
  readonly suggestedEmail?: string | undefined;
  readonly onDone: (me: Me) => void;
  /** Below the button, while the password is asked for. */
  readonly children?: ReactNode;
};

/** E-mail and password, then the second factor where the user has one. */
export function SignInForm({ email, suggestedEmail, onDone, children }: SignInFormProps) {
  const text = useTexts(signInTexts);
  const [challenge, setChallenge] = useState<Challenge>();
  const [problem, setProblem] = useState<string>();
  if (challenge !== undefined) {
    const back = (reason?: string) => {
      setProblem(reason);
      setChallenge(undefined);
    };
    return (
      <SecondFactorForm
        challenge={challenge}
        onDone={onDone}
        onBack={back}
        onLate={() => back(text.refusals.sign_in_expired)}
      />
    );
  }
  return (
    <PasswordForm
      email={email}
      suggestedEmail={suggestedEmail}
      problem={problem}
      onProblem={setProblem}
      onAnswer={answer => (answer.next === 'done' ? onDone(answer.me) : setChallenge(answer))}
    >
      {children}
    </PasswordForm>
  );
}

type PasswordFormProps = {
  readonly email: string | undefined;
  readonly suggestedEmail: string | undefined;
  readonly problem: string | undefined;
  readonly onProblem: (problem: string | undefined) => void;
  readonly onAnswer: (body: BodyFor<'signIn'>) => void;
  readonly children?: ReactNode;
};

function PasswordForm({ email, suggestedEmail, problem, onProblem, onAnswer, children }: PasswordFormProps) {
  const text = useTexts(signInTexts);
  const refusalOf = useRefusal();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    onProblem(undefined);
    const body = {
      email: textOf(form, 'email').trim(),
      password: textOf(form, 'password'),
      isShared: form.has('shared'),
    };
    const answer = await callOwn('signIn', { body }, { isQuiet: true, maxAttempts: 1 });
    setBusy(false);
    if (answer.ok) onAnswer(answer.body);
    else onProblem(refusalOf(answer));
  };
  return (
    <form className="form" onSubmit={event => void submit(event)}>
      <FormProblem message={problem} />
      <TextField
        label={text.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email ?? suggestedEmail}
        readOnly={email !== undefined}
      />
      <PasswordField label={text.password} name="password" autoComplete="current-password" required />
      <CheckField label={text.shared} hint={text.sharedWhy} name="shared" />
      <Button kind="primary" type="submit" isBusy={isBusy} className="button-wide">
        {text.submit}
      </Button>
      {children}
    </form>
  );
}

type SecondFactorProps = {
  readonly challenge: Challenge;
  readonly onDone: (me: Me) => void;
  readonly onBack: () => void;
  /** The password was given too long ago. */
  readonly onLate: () => void;
};

/** Sends a second factor, and says in words why it was refused. */
function useSecondFactor({ challenge, onDone, onLate }: SecondFactorProps) {
  const text = useTexts(signInTexts);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const refusalOf = useRefusal({ invalid: text.refusals.code_wrong });
  const refusalOfPasskey = useRefusal({ code_wrong: text.passkeyWrong });
  const send = async (given: SecondFactor, wordsOf: (answer: NotDone) => string) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const body = { token: challenge.token, ...given };
    const answer = await callOwn('giveSecondFactor', { body }, { isQuiet: true, maxAttempts: 1 });
    setBusy(false);
    if (answer.ok) onDone(answer.body.me);
    else if (answer.reason === 'sign_in_expired') onLate();
    else setProblem(wordsOf(answer));
  };
  return {
    isBusy,
    problem,
    sendCode: (code: string) => send({ code }, refusalOf),
    sendPasskey: async (options: object) => {
      const passkey = await passkeyAnswer(options);
      if (passkey === undefined) setProblem(text.passkeyNotGiven);
      else await send({ passkey }, refusalOfPasskey);
    },
  };
}

function SecondFactorForm(props: SecondFactorProps) {
  const text = useTexts(signInTexts);
  const { methods, passkeyOptions } = props.challenge;
  const { isBusy, problem, sendCode, sendPasskey } = useSecondFactor(props);
  const hasApp = methods.includes('totp');
  const hasRecovery = methods.includes('recovery_code');
  const hasCode = hasApp || hasRecovery;
  const usable = canUsePasskeys() ? passkeyOptions : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void sendCode(textOf(new FormData(event.currentTarget), 'code').replaceAll(/\s/g, ''));
  };
  return (
    <form className="form" onSubmit={submit}>
      <p className="muted">{text.second}</p>
      <FormProblem message={problem} />
      {usable === null && !hasCode ? <Notice tone="attention">{text.passkeyElsewhere}</Notice> : null}
      {usable === null ? null : (
        <Button
          kind={hasCode ? 'quiet' : 'primary'}
          icon="key"
          className="button-wide"
          onClick={() => void sendPasskey(usable)}
        >
          {text.passkey}
        </Button>
      )}
      {hasCode ? <CodeField hasApp={hasApp} hasRecovery={hasRecovery} isBusy={isBusy} /> : null}
      <Button kind="bare" onClick={() => props.onBack()}>
        {text.other}
      </Button>
    </form>
  );
}

type CodeFieldProps = { readonly hasApp: boolean; readonly hasRecovery: boolean; readonly isBusy: boolean };

/** The code of the authenticator app, or one of the recovery codes instead. */
function CodeField({ hasApp, hasRecovery, isBusy }: CodeFieldProps) {
  const text = useTexts(signInTexts);
  const [isRecovery, setRecovery] = useState(!hasApp);
  return (
    <>
      <TextField
        key={isRecovery ? 'recovery' : 'app'}
        label={isRecovery ? text.recoveryCode : text.code}
        name="code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        maxLength={40}
        autoFocus
        required
      />
      <Button kind="primary" type="submit" isBusy={isBusy} className="button-wide">
        {text.submit}
      </Button>
      {hasApp && hasRecovery ? (
        <Button kind="bare" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? text.useTotp : text.useRecovery}
        </Button>
      ) : null}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type BodyFor, callOwn } from '../../api/call.ts';
import { bodyOf, CallProblem } from '../../api/problem.ts';
import { NewPasswordField, PasswordField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { textOf } from '../../components/form-text.ts';
import { Failed, SkeletonLines } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWriteForm } from '../../components/write-form.ts';
import { useFirstSignIn } from '../../session/proceed.ts';
import { signInTexts } from '../../session/texts.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { PublicFrame } from '../../shell/public-frame.tsx';
import { useRoleNames } from '../../words/roles.ts';
import { useTexts } from '../../words/texts.ts';
import { useWords } from '../../words/words.ts';
import { invitationTexts } from './texts.ts';

/** Where the link of an invitation leads: its token stands after the `#` of the address. */
export function Page() {
  const text = useTexts(invitationTexts);
  const signIn = useTexts(signInTexts);
  const token = useLocation({ select: ({ hash }) => hash });
  const read = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => bodyOf(await callOwn('readInvitation', { body: { token } }, { isQuiet: true })),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A link that was cut off when it was copied is refused for its form.
  const isRefused = read.error instanceof CallProblem && read.error.answer.outcome === 'refused';
  const isGone = token === '' || isRefused;
  return (
    <PublicFrame title={text.title}>
      {read.data !== undefined ? (
        <AcceptForm key={token} token={token} invitation={read.data} />
      ) : isGone ? (
        <>
          <Notice tone="ended" title={text.gone}>
            {text.goneWhy}
          </Notice>
          <PageLink path="/sign-in">{signIn.title}</PageLink>
        </>
      ) : read.isError ? (
        <Failed error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <SkeletonLines lines={5} />
      )}
    </PublicFrame>
  );
}

type AcceptFormProps = { readonly token: string; readonly invitation: BodyFor<'readInvitation'> };

/** A new user chooses a name and a password; one who is known gives theirs. Then they are signed in. */
function AcceptForm({ token, invitation }: AcceptFormProps) {
  const text = useTexts(invitationTexts);
  const signIn = useTexts(signInTexts);
  const words = useWords();
  const firstSignIn = useFirstSignIn();
  const { email, businessName, role, isKnown } = invitation;
  const nameOf = useRoleNames();
  const { submit, isBusy, issues, message } = useWriteForm({
    password_guessable: ['password', words.form.guessable],
    credentials_wrong: ['password', text.wrong],
    link_not_valid: `${text.gone}. ${text.goneWhy}`,
  });
  const accept = (form: FormData) => {
    const password = textOf(form, 'password');
    const body = { token, password, ...(isKnown ? {} : { name: textOf(form, 'name').trim() }) };
    void submit({
      send: () => callOwn('acceptInvitation', { body }, { isQuiet: true }),
      onDone: () => void firstSignIn(email, password),
    });
  };
  return (
    <>
      <p>{text.invites(businessName, nameOf(role))}</p>
      <Form onSubmit={accept} action={text.accept} isBusy={isBusy} message={message}>
        <TextField
          label={signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          readOnly
        />
        {isKnown ? (
          <>
            <p className="muted">{text.known}</p>
            <PasswordField
              label={signIn.password}
              name="password"
              autoComplete="current-password"
              required
              issue={issues.password}
            />
          </>
        ) : (
          <>
            <TextField label={text.name} name="name" autoComplete="name" maxLength={100} required issue={issues.name} />
            <NewPasswordField label={words.form.newPassword} name="password" issue={issues.password} />
          </>
        )}
      </Form>
    </>
  );
}

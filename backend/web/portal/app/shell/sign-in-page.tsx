import { useSearch } from '@tanstack/react-router';
import { useProceed } from '../session/proceed.ts';
import { SignInForm } from '../session/sign-in.tsx';
import { useWords } from '../words/words.ts';
import { PageLink } from './page-link.tsx';
import { PublicFrame } from './public-frame.tsx';

/** Where somebody signs in; then they see the page that they wanted. */
export function SignInPage() {
  const words = useWords();
  const { next, email } = useSearch({ strict: false }) as { readonly next?: string; readonly email?: string };
  const proceed = useProceed();
  return (
    <PublicFrame title={words.signIn.title}>
      <SignInForm suggestedEmail={email} onDone={me => proceed(me, next)}>
        <PageLink path="/password-reset">{words.signIn.forgotten}</PageLink>
      </SignInForm>
    </PublicFrame>
  );
}

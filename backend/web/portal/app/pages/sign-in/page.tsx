import { useSearch } from '@tanstack/react-router';
import { useProceed } from '../../session/proceed.ts';
import { SignInForm } from '../../session/sign-in.tsx';
import { signInTexts } from '../../session/texts.ts';
import { PageLink } from '../../shell/page-link.tsx';
import { PublicFrame } from '../../shell/public-frame.tsx';
import { useTexts } from '../../words/texts.ts';

/** Where somebody signs in; then they see the page that they wanted. */
export function Page() {
  const text = useTexts(signInTexts);
  const { next, email } = useSearch({ strict: false }) as { readonly next?: string; readonly email?: string };
  const proceed = useProceed();
  return (
    <PublicFrame title={text.title}>
      <SignInForm suggestedEmail={email} onDone={me => void proceed(me, next)}>
        <PageLink path="/password-reset">{text.forgotten}</PageLink>
      </SignInForm>
    </PublicFrame>
  );
}

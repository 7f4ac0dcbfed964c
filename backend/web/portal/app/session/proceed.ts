import type { Me } from '@florin/shared/contracts/portal/people.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { callOwn } from '../api/call.ts';
import { changeTheme } from '../shell/theme.ts';
import { useChangeLanguage } from '../words/language-provider.tsx';
import { useShowMe } from './session.ts';

/** Goes on as a user who has just signed in: to the page that was wanted, or to their business. */
export function useProceed(): (me: Me, wanted?: string) => Promise<void> {
  const client = useQueryClient();
  const showMe = useShowMe();
  const { history } = useRouter();
  const changeLanguage = useChangeLanguage();
  return async (me, wanted = '/') => {
    client.clear();
    showMe(me);
    changeTheme(me.theme);
    // Whoever signed in goes on, in the language before if the words of theirs cannot be loaded.
    if (me.language !== null) await Promise.allSettled([changeLanguage(me.language)]);
    // Only an address of the portal is gone to.
    const isOwn = wanted.startsWith('/') && !wanted.startsWith('//');
    history.replace(`/portal${isOwn ? wanted.replace(/^\/portal(?=\/|$)/, '') : '/'}`);
  };
}

/** Signs in with a password that was just chosen; whoever has a second factor does the rest on the sign-in page. */
export function useFirstSignIn(): (email: string, password: string) => Promise<void> {
  const proceed = useProceed();
  const navigate = useNavigate();
  return async (email, password) => {
    const answer = await callOwn('signIn', { body: { email, password } }, { isQuiet: true, maxAttempts: 1 });
    if (answer.ok && answer.body.next === 'done') await proceed(answer.body.me);
    else await navigate({ to: '/sign-in', search: { email }, replace: true });
  };
}
